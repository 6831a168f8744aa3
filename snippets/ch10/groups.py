"""Grouped heads, copied out the right way and a wrong one."""

# --8<-- [start:right]
import torch

from attnref import attention

Hq, Hkv, S, D = 8, 2, 5, 16
G = Hq // Hkv
generator = torch.Generator().manual_seed(0)
q, k, v = (
    torch.randn(heads, length, D, generator=generator).double()
    for heads, length in ((Hq, 1), (Hkv, S), (Hkv, S))
)
shared = attention(q, k, v)  # (Hq, 1, D)
copied = attention(
    q, k.repeat_interleave(G, dim=0), v.repeat_interleave(G, dim=0)
)
tol = 1e-12
same = bool((shared - copied).abs().max() < tol)
grouped, full = 2 * Hkv * D, 2 * Hq * D  # numbers a token
print(same, full, grouped)
# --8<-- [end:right]

# --8<-- [start:wrong]
tiled = attention(q, k.repeat(G, 1, 1), v.repeat(G, 1, 1))
off = (shared - tiled).abs().amax(dim=(1, 2))  # (Hq,)
served = [h // G + 1 for h in range(Hq)]  # by which head, from 1
instead = [h % Hkv + 1 for h in range(Hq)]
wrong = [h + 1 for h in range(Hq) if off[h] > 0.1]
fits = tiled.shape == shared.shape
print("should read", served)
print("do read    ", instead)
print("right shape:", fits, "wrong heads:", wrong)
# --8<-- [end:wrong]
