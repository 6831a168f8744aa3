"""Heads averaged in groups: a start for training, and another function."""

import numpy as np

from attnref import attention, split_heads

rng = np.random.default_rng(0)
H, groups, D, d_model = 4, 2, 8, 32
X = rng.normal(size=(6, d_model))
W_Q, W_K, W_V = rng.normal(size=(3, d_model, H * D)) / np.sqrt(d_model)


def pool(W):
    """The mean of the heads in each group: (d_model, groups · D)."""
    heads = W.reshape(d_model, groups, H // groups, D)
    return heads.mean(axis=2).reshape(d_model, groups * D)


def layer(W_K, W_V, Hkv):
    q, k, v = split_heads(X @ W_Q, H), X @ W_K, X @ W_V
    return attention(
        q, split_heads(k, Hkv), split_heads(v, Hkv), causal=True
    )


def change(W_K, W_V):
    after = layer(pool(W_K), pool(W_V), groups)
    return np.abs(layer(W_K, W_V, H) - after).max()


twins = [
    np.repeat(pool(W).reshape(d_model, groups, D), H // groups, axis=1)
    for W in (W_K, W_V)
]
twins = [
    W.reshape(d_model, H * D) for W in twins
]  # equal in each group
moved, still = change(W_K, W_V) > 0.5, change(*twins) < 1e-12
print("heads that differ, changed:", moved)
print("heads that agree, unchanged:", still)
