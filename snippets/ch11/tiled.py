"""The reference, tile by tile, for tiles of any size."""

import torch

from attnref import attention as reference
from attnref.tiled import tiled_attention

torch.manual_seed(0)
L, D = 100, 16  # no whole number of tiles
q, k, v = torch.randn(3, 2, L, D, dtype=torch.float64)  # (H, L, D)

whole = reference(q, k, v, causal=True)
tol = 1e-13
near = {}
for tile in ((1, 1), (16, 32), (64, 64), (100, 100)):
    parts = tiled_attention(q, k, v, causal=True, tile=tile)
    near[tile] = bool((parts - whole).abs().max() < tol)
print(near)
