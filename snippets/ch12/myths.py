"""What popular sentences about attention say, computed."""

# --8<-- [start:weights]
import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa
from torch.utils.flop_counter import FlopCounterMode

from attnref import Cache, attention, attention_weights, tiled_attention
from attnref.costs import attention_multiply_adds, cells

V4 = np.array([[1, 0], [0, 2], [3, 1], [1, 0.5]])  # a fourth value
first, second = np.array([[0.7, 0.2, 0.1, 0], [0, 0, 0, 1]])  # weights
mixed = first @ V4, second @ V4
print(*mixed)
# --8<-- [end:weights]

# --8<-- [start:flash]
rng = np.random.default_rng(0)
q, k, v = rng.normal(size=(3, 8, 512, 64))  # (H, n, D)
plain = attention(q, k, v, causal=True)
tiled = tiled_attention(q, k, v, causal=True)
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):  # no other
    inputs = torch.tensor(np.stack([q, k, v]))  # (3, H, n, D)
    fused = sdpa(*inputs[:, None], is_causal=True)[0]


def same(a, b):
    return np.allclose(a, b, rtol=0, atol=1e-12)


def multiply_adds(n):
    x = torch.empty(n, 64, device="meta")  # a shape, no numbers
    with FlopCounterMode(display=False) as counter:
        tiled_attention(x, x, x, tile=(512, 512))
    return counter.get_total_flops() // 2


growth = multiply_adds(4096) / multiply_adds(2048)
print("our tiles, the same:", same(tiled, plain))
print("the fused program, the same:", same(fused, plain))
print(f"twice the tokens, multiply-adds times {growth:g}")
# --8<-- [end:flash]

# --8<-- [start:heads]
grid = cells(8192, 8192)
work = {
    H: attention_multiply_adds(grid, D=512 // H, Hq=H) for H in (1, 8)
}
grouped = attention(q, k[:2], v[:2], causal=True)
grids = attention_weights(q, k[:2], causal=True).shape
print("one head or eight, the same work:", work[1] == work[8])
print("8 query heads, 2 key heads:", grouped.shape, grids)
# --8<-- [end:heads]

# --8<-- [start:cache]
cache = Cache()
steps = [q[:, i : i + 1] for i in range(512)]
fed = [
    cache.attend(s, k[:, i : i + 1], v[:, i : i + 1])
    for i, s in enumerate(steps)
]
print("with a cache, the same:", same(np.concatenate(fed, 1), plain))
# --8<-- [end:cache]

# --8<-- [start:turn]
R, _ = np.linalg.qr(rng.normal(size=(64, 64)))  # orthogonal
turned = attention_weights(q @ R, k @ R, causal=True)
kept = np.allclose(turned, attention_weights(q, k, causal=True))
print("queries changed:", not np.allclose(q @ R, q))
print("weights changed:", not kept)
# --8<-- [end:turn]
