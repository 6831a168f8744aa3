"""A causal mask for fewer queries than keys, aligned both ways."""

# --8<-- [start:counts]
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attnref import masks

L, S, D = 3, 8, 4
like = torch.empty(0)
square = masks.causal(S, like=like)  # every token asks
top_left = square[:L]  # row i sees keys up to i
bottom_right = masks.causal(L, S, like=like)  # up to i + S - L
print(top_left.sum(1).tolist(), "keys seen, top-left")
print(bottom_right.sum(1).tolist(), "keys seen, bottom-right")
# --8<-- [end:counts]

# --8<-- [start:cache]
torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 1, S, D)  # (B, H, S, D)
whole = sdpa(q, k, v, is_causal=True)[:, :, -L:]  # no cache, square
newest = q[:, :, -L:]  # the rest was computed before
flag = sdpa(newest, k, v, is_causal=True)
mask = sdpa(newest, k, v, attn_mask=bottom_right)
flag_right = torch.allclose(flag, whole, atol=1e-6)
mask_right = torch.allclose(mask, whole, atol=1e-6)
flag_top_left = torch.allclose(
    flag, sdpa(newest, k, v, attn_mask=top_left), atol=1e-6
)
print("is_causal gives what the whole run gave:", flag_right)
print("a bottom-right mask does:", mask_right)
print("is_causal is aligned top-left:", flag_top_left)
# --8<-- [end:cache]
