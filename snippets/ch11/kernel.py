"""The same attention as a Triton kernel, judged in float64."""

import torch

from attnref import attention as reference
from kernels import attention

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
L, D = 100, 16
q32, k32, v32 = torch.randn(3, 2, L, D, device=device)  # (H, L, D)
o, lse = attention(q32, k32, v32, causal=True, return_lse=True)
print(tuple(o.shape), tuple(lse.shape), o.dtype)

judge = reference(q32.double(), k32.double(), v32.double(), causal=True)
bound = 2e-6
near = bool((o - judge).abs().max() < bound)
print("within", bound, near)
