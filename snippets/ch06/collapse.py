"""Mixing what was mixed: each time, the outputs draw closer together."""

import numpy as np

from attnref import attention_weights

Q = K = np.array([[1, 0], [0, 1], [1, 1]], float)
X = np.array([[1, 0], [0, 2], [3, 1]], float)  # first the values
A = attention_weights(Q, K)

spread = []
for times in range(5):
    gaps = X[:, None] - X  # (3, 3, Dv)
    spread.append(np.linalg.norm(gaps, axis=-1).max())
    print(times, f"{spread[times]:.4f}")
    X = A @ X  # mixed once more, with nothing in between
