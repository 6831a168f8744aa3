"""The same head in PyTorch: one call does all five steps."""

import torch
from torch.nn.functional import scaled_dot_product_attention

Q = K = torch.tensor([[1, 0], [0, 1], [1, 1]]).double()[None, None]
V = torch.tensor([[1, 0], [0, 2], [3, 1]]).double()[None, None]

O_pt = scaled_dot_product_attention(Q, K, V, is_causal=True)
print(
    tuple(Q.shape), "to", tuple(O_pt.shape)
)  # (B, H, L, D), (B, H, L, Dv)
print(O_pt[0, 0].numpy().round(4))
