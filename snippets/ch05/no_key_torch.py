"""A query that may see no key at all, in PyTorch."""

import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

torch.manual_seed(0)
x = torch.randn(1, 3, 4)  # (B, L, D)
layer = torch.nn.MultiheadAttention(4, 1, batch_first=True)
sees = torch.zeros(3, 3, dtype=torch.bool)  # nobody, nothing


def kind(out):
    if out.isnan().all():
        return "NaN"
    return "zeros" if (out == 0).all() else "numbers"


found = {
    "function": sdpa(x, x, x, attn_mask=sees),
    "module": layer(x, x, x, attn_mask=~sees, need_weights=False)[0],
    "module, weights asked for": layer(x, x, x, attn_mask=~sees)[0],
}
for name, out in found.items():
    print(f"{name}: {kind(out)}")
