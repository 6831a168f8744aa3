"""Shuffle the tokens: the outputs follow, until there is a mask."""

import numpy as np

from attnref import attention

n, d_model = 5, 8
rng = np.random.default_rng(0)
X = rng.normal(size=(n, d_model))  # a token a row
W_Q, W_K, W_V = rng.normal(size=(3, d_model, d_model))
order = [2, 0, 1, 3, 4]  # who stands first, second, …


def head(X, causal=False):
    return attention(X @ W_Q, X @ W_K, X @ W_V, causal=causal)


near, follows = 1e-12, {}
for causal in (False, True):
    gap = head(X[order], causal) - head(X, causal)[order]
    follows[causal] = (abs(gap).max(1) < near).tolist()
    print("causal:" if causal else "no mask:", follows[causal])
