"""The same head as a Triton kernel: on a GPU if there is one."""

import torch

from attnref import attention as reference
from kernels import attention

device = "cuda" if torch.cuda.is_available() else "cpu"
Q = K = torch.tensor([[1, 0], [0, 1], [1, 1]], device=device).float()
V = torch.tensor([[1, 0], [0, 2], [3, 1]], device=device).float()

O_tr = attention(Q, K, V, causal=True).cpu()  # (L, Dv), float32
print(O_tr.numpy().round(4))

exact = reference(Q.double(), K.double(), V.double(), causal=True)
near = 1e-6
agrees = bool((O_tr - exact.cpu()).abs().max() < near)
print("within", near, "of the reference:", agrees)
