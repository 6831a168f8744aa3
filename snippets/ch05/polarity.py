"""The same Boolean mask in the two attention interfaces of PyTorch."""

# --8<-- [start:setup]
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attnref import masks

torch.manual_seed(0)
L, D = 4, 8
x = torch.randn(1, L, D)
layer = torch.nn.MultiheadAttention(D, 1, bias=False, batch_first=True)
with torch.no_grad():  # projections that change nothing
    layer.in_proj_weight.copy_(torch.eye(D).repeat(3, 1))
    layer.out_proj.weight.copy_(torch.eye(D))

sees = masks.causal(L, like=x)  # True takes part
bias = masks.to_bias(sees, x.dtype)  # 0 takes part, -inf does not
# --8<-- [end:setup]


# --8<-- [start:compare]
def function(mask):
    return sdpa(x, x, x, attn_mask=mask)


def module(mask):
    return layer(x, x, x, attn_mask=mask, need_weights=False)[0]


def same(a, b):
    return torch.allclose(a, b, atol=1e-6)


unchanged = same(function(sees), module(sees))
flipped = same(function(sees), module(~sees))
additive = same(function(bias), module(bias))
print("the same Boolean mask:", unchanged)
print("inverted for the module:", flipped)
print("the same additive mask:", additive)
# --8<-- [end:compare]

# --8<-- [start:wrong]
weights = layer(x, x, x, attn_mask=sees)[1][0]  # (L, S)
reads = (weights > 0).int()
print(reads.numpy())
# --8<-- [end:wrong]
