"""The same head in PyTorch: one call does all five steps."""

import torch
from torch.nn.functional import scaled_dot_product_attention

Q = K = torch.tensor([[1, 0], [0, 1], [1, 1]], dtype=torch.float64)[None, None]  # (B, H, L, D)
V = torch.tensor([[1, 0], [0, 2], [3, 1]], dtype=torch.float64)[None, None]  # (B, H, S, Dv)

O_pt = scaled_dot_product_attention(Q, K, V, is_causal=True)  # (B, H, L, Dv)

print(O_pt[0, 0].numpy().round(4))
