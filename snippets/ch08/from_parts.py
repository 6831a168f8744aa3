"""Multi-head attention from its parts, against PyTorch's own module."""

# --8<-- [start:parts]
import torch

from attnref import attention, join_heads, split_heads

torch.manual_seed(0)
L, S, d_model, H = 4, 6, 12, 3
D = d_model // H  # a head's width
X_q = torch.randn(L, d_model).double()  # asks
X_kv = torch.randn(S, d_model).double()  # is asked
W_Q, W_K, W_V, W_O = torch.randn(4, d_model, H * D).double()


def many_heads(X_q, X_kv):
    q = split_heads(X_q @ W_Q, H)  # (H, L, D)
    k = split_heads(X_kv @ W_K, H)  # (H, S, D)
    v = split_heads(X_kv @ W_V, H)  # (H, S, D)
    O = attention(q, k, v)  # (H, L, D): no head sees another
    joined = join_heads(O)  # (L, H * D): side by side
    return joined @ W_O  # (L, d_model): mixed


Y = many_heads(X_q, X_kv)
print(tuple(Y.shape))
# --8<-- [end:parts]

# --8<-- [start:module]
module = torch.nn.MultiheadAttention(d_model, H, bias=False).double()
with torch.no_grad():
    stacked = torch.cat([W_Q.T, W_K.T, W_V.T])  # (3 * d_model, d_model)
    module.in_proj_weight.copy_(stacked)
    module.out_proj.weight.copy_(W_O.T)
    theirs, _ = module(X_q, X_kv, X_kv)  # query, key, value

near = 1e-12
agree = (theirs - Y).abs().max().item() < near
print(tuple(module.in_proj_weight.shape), "within", near, agree)
# --8<-- [end:module]
