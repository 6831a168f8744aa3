"""Rotations while decoding, right and wrong."""

import numpy as np

from attnref import attention, rope
from attnref.cache import Cache

Q = K = np.array([[1, 0], [0, 1], [1, 1]], float)
V = np.array([[1, 0], [0, 2], [3, 1]], float)


def decode(position):
    cache, outs = Cache(), []
    for t in range(len(Q)):
        row, at = slice(t, t + 1), np.array([position(t)])
        q, k = rope(Q[row], at), rope(K[row], at)  # (1, D)
        outs.append(cache.attend(q, k, V[row])[0])
    return np.array(outs)


where = np.arange(len(Q))
whole = attention(rope(Q, where), rope(K, where), V, causal=True)
right, stuck = decode(lambda t: t), decode(lambda t: 0)
print(np.abs(right - whole).max() < 1e-12, right[2].round(4))
print(np.abs(stuck - whole).max() < 1e-12, stuck[2].round(4))
