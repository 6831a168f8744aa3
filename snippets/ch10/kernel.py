"""A step of decoding with the Triton kernel: one query, all keys that are kept."""

import torch

from kernels import attention

device = "cuda" if torch.cuda.is_available() else "cpu"
k = torch.tensor([[1, 0], [0, 1], [1, 1]], device=device).float()
v = torch.tensor([[1, 0], [0, 2], [3, 1]], device=device).float()

rows = [
    attention(k[t - 1 : t], k[:t], v[:t])  # (1, D), (t, D), (t, Dv)
    for t in (1, 2, 3)
]
O_tr = torch.cat(rows).cpu()  # (3, Dv), float32
print(O_tr.numpy().round(4))
