"""A window, under which the cache stops growing."""

import numpy as np

from attnref import attention
from attnref.cache import Cache

Q = K = np.array([[1, 0], [0, 1], [1, 1], [2, 0], [0, 2]], float)
V = np.array([[1, 0], [0, 2], [3, 1], [1, 1], [0, 1]], float)
w = 2  # keys that a query sees, its own included
rolling, lengths, windowed = Cache(window=w), [], []
for t in range(len(Q)):
    row = slice(t, t + 1)
    windowed.append(rolling.attend(Q[row], K[row], V[row])[0])
    lengths.append(len(rolling))
whole = attention(Q, K, V, causal=True, window=(w - 1, 0))
gap = np.abs(np.array(windowed) - whole).max()
print(lengths, gap < 1e-12, windowed[2].round(4))
