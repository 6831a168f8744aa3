"""Scores before the Transformer: additive, and a plain dot product."""

import numpy as np

rng = np.random.default_rng(0)
L, S, d, hidden = 4, 6, 8, 10
q, k = rng.normal(size=(L, d)), rng.normal(size=(S, d))
W_1, W_2 = rng.normal(size=(2, d, hidden))
u = rng.normal(size=hidden)

pairs = (q @ W_1)[:, None] + (k @ W_2)[None]  # (L, S, hidden)
additive = np.tanh(pairs) @ u  # (L, S)
dots = q @ k.T  # (L, S)

wide = pairs.size
print(additive.shape, dots.shape, pairs.shape, wide)
