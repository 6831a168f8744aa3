"""Heads averaged in groups: another function."""

import numpy as np

from attnref import attention

rng = np.random.default_rng(0)
X = rng.normal(size=(6, 32))  # (n, d_model)
W_Q, W_K, W_V = rng.normal(size=(3, 4, 32, 8)) / np.sqrt(32)


def pool(W):
    """The mean of the heads in each group: (2, d_model, D)."""
    return W.reshape(2, 2, 32, 8).mean(axis=1)


def layer(W_K, W_V):
    return attention(X @ W_Q, X @ W_K, X @ W_V, causal=True)


def change(W_K, W_V):
    after = layer(pool(W_K), pool(W_V))
    return np.abs(after - layer(W_K, W_V)).max()


twins = [np.repeat(pool(W), 2, axis=0) for W in (W_K, W_V)]
far, near = 0.5, 1e-12
moved, still = change(W_K, W_V) > far, change(*twins) < near
print("unlike heads in a group, changed:", moved)
print("equal heads in a group, unchanged:", still)
