"""Heads averaged in groups: a start for training, and another function."""

import numpy as np

from attnref import attention, split_heads

rng = np.random.default_rng(0)
before, after, width, d_model = 4, 2, 8, 32  # key heads and others
X = rng.normal(size=(6, d_model))
W_Q, W_K, W_V = rng.normal(size=(3, d_model, before * width))
W_Q, W_K, W_V = (W / np.sqrt(d_model) for W in (W_Q, W_K, W_V))


def pool(W):
    """The mean of the heads in each group: (d_model, after · width)."""
    groups = W.reshape(d_model, after, before // after, width)
    return groups.mean(axis=2).reshape(d_model, after * width)


def copies(W):
    """Each head of a pooled matrix, as often as its group is large."""
    heads = W.reshape(d_model, after, width)
    heads = np.repeat(heads, before // after, axis=1)
    return heads.reshape(d_model, before * width)


def layer(W_K, W_V, heads):
    q = split_heads(X @ W_Q, before)  # (4, 6, 8)
    k, v = (split_heads(X @ W, heads) for W in (W_K, W_V))
    return attention(q, k, v, causal=True)


def change(W_K, W_V):
    pooled = layer(pool(W_K), pool(W_V), after)
    return np.abs(layer(W_K, W_V, before) - pooled).max()


moved = change(W_K, W_V) > 0.5
still = change(copies(pool(W_K)), copies(pool(W_V))) < 1e-12
print("groups of unlike heads, changed:", moved)
print("groups of equal heads, unchanged:", still)
