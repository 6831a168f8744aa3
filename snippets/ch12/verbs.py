"""The running example as a chain of verbs, from the tokens on."""

import numpy as np

X = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]])  # lab 1
W_Q = W_K = np.array([[1.0, -1], [0, 0], [0, 1], [0, 2]])
W_V = np.array([[1.0, -1], [0, 1], [0, 1], [2, 1]])
allowed = np.tri(3, dtype=bool)


def normalise(z):
    e = np.exp(z - z.max(-1, keepdims=True))  # cannot overflow
    return e / e.sum(-1, keepdims=True)


k, v = X @ W_K, X @ W_V
verbs = {
    "project": lambda x: x @ W_Q,  # (L, D), and k and v likewise
    "compare": lambda q: q @ k.T,  # (L, S)
    "scale": lambda scores: scores / 2**0.5,
    "mask": lambda scaled: np.where(allowed, scaled, -np.inf),
    "normalise": normalise,
    "mix": lambda weights: weights @ v,  # (L, Dv)
}
stage, now = {}, X
for verb, do in verbs.items():
    stage[verb] = now = do(now)
    print(f"{verb:9}", now[2].round(4))
