"""Heads that are joined without an exchange of axes."""

import numpy as np

from attnref import join_heads

H, L, D = 2, 3, 2
names = [[11, 12, 13], [21, 22, 23]]  # head, then token
O = np.repeat(names, D, axis=1).reshape(H, L, D).astype(float)

quick = O.reshape(L, H * D)
proper = join_heads(O)  # exchange to (L, H, D), then reshape
same_shape = quick.shape == proper.shape
print("same shape:", same_shape)
print(quick[0].astype(int).tolist(), "for token 1")
print(proper[0].astype(int).tolist(), "would be right")
