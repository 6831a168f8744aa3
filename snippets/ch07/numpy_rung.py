"""The same head with NumPy: one line a step, on whole matrices."""

import numpy as np

Q = K = np.array([[1, 0], [0, 1], [1, 1]], float)  # (L, D) and (S, D)
V = np.array([[1, 0], [0, 2], [3, 1]], float)  # (S, Dv)

scores = Q @ K.T  # (L, S)
scaled = scores / np.sqrt(K.shape[-1])
allowed = np.tri(*scores.shape, dtype=bool)  # j <= i
masked = np.where(allowed, scaled, -np.inf)
E = np.exp(masked - masked.max(-1, keepdims=True))  # cannot overflow
A = E / E.sum(-1, keepdims=True)  # each row sums to 1
O_np = A @ V  # (L, Dv)

print(O_np.round(4))
