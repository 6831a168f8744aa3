"""What PyTorch's causal flag does to a step of decoding."""

import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

k = torch.tensor([[1, 0], [0, 1], [1, 1]]).double()[None, None]
v = torch.tensor([[1, 0], [0, 2], [3, 1]]).double()[None, None]
q = k[..., -1:, :]  # (1, 1, 1, 2): the third token's

flagged = sdpa(q, k, v, is_causal=True)[0, 0, 0]
plain = sdpa(q, k, v)[0, 0, 0]
print(flagged.numpy().round(4), plain.numpy().round(4))
