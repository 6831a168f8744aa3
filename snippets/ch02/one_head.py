"""One head, and the shape of everything it makes on the way."""

import numpy as np

L, S, D, Dv = 5, 7, 4, 8  # no two alike, so that none can hide
rng = np.random.default_rng(0)
Q = rng.normal(size=(L, D))
K = rng.normal(size=(S, D))
V = rng.normal(size=(S, Dv))

scores = Q @ K.T  # (L, D) @ (D, S) = (L, S)
E = np.exp(scores / np.sqrt(D))
A = E / E.sum(-1, keepdims=True)  # (L, S), each row sums to 1
O = A @ V  # (L, S) @ (S, Dv) = (L, Dv)

for name in ("Q", "K", "V", "scores", "A", "O"):
    print(f"{name:7}", globals()[name].shape)
