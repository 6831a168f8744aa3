"""Self, cross and decode: the same function, told apart by L and S."""

import numpy as np

from attnref import attention, attention_weights

D, Dv = 4, 8
calls = {"self": (6, 6), "cross": (3, 9), "decode": (1, 12)}  # L, S

rng = np.random.default_rng(0)
out, grid = {}, {}
for name, (L, S) in calls.items():
    Q = rng.normal(size=(L, D))
    K = rng.normal(size=(S, D))
    V = rng.normal(size=(S, Dv))
    grid[name] = attention_weights(Q, K)  # (L, S)
    out[name] = attention(Q, K, V)  # (L, Dv)
    shapes = grid[name].shape, out[name].shape
    print(f"{name:7}", *shapes, grid[name].size, "scores")
