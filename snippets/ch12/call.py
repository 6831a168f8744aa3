"""The production call on the running example, with a flag and with a mask."""

# --8<-- [start:call]
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as sdpa

Q = K = torch.tensor([[1, 0], [0, 1], [1, 1]]).double()[None, None]
V = torch.tensor([[1, 0], [0, 2], [3, 1]]).double()[None, None]
seen = torch.ones(3, 3, dtype=torch.bool).tril()  # True takes part

flag = sdpa(Q, K, V, is_causal=True)  # (B, H, L, Dv)
mask = sdpa(Q, K, V, attn_mask=seen)
print(flag[0, 0].numpy().round(4))
print("the mask does the same:", torch.allclose(flag, mask, atol=1e-12))
# --8<-- [end:call]


# --8<-- [start:arguments]
def same(a, b):
    return torch.allclose(a, b, rtol=0, atol=1e-12)


def with_both():
    with sdpa_kernel(SDPBackend.MATH):
        return sdpa(Q, K, V, attn_mask=seen, is_causal=True)


def refused(call):
    try:
        call()
    except RuntimeError:
        return True
    return False


newest, root = Q[:, :, 2:], 2**-0.5  # L = 1, S = 3
four, two = Q.expand(1, 4, 3, 2), torch.cat([V, -V], 1)
copied = two.repeat_interleave(2, 1)  # (B, Hq, S, Dv)
spread = V.expand(1, 4, 3, 2)
facts = {
    "no scale is 1/sqrt(d_k)": same(
        sdpa(Q, K, V), sdpa(Q, K, V, scale=root)
    ),
    "one query, the flag: reads key 1 only": same(
        sdpa(newest, K, V, is_causal=True), V[:, :, :1]
    ),
    "plain program, mask and flag: refused": refused(with_both),
    "2 heads for 4, not told: refused": refused(
        lambda: sdpa(four, two, two)
    ),
    "1 head for 4, not told: stretched": same(
        sdpa(four, V, V), sdpa(four, spread, spread)
    ),
    "enable_gqa: neighbours share": same(
        sdpa(four, two, two, enable_gqa=True),
        sdpa(four, copied, copied),
    ),
}
for fact, holds in facts.items():
    print(f"{fact}: {holds}")
# --8<-- [end:arguments]
