"""How far random scores spread at several widths, before and after the division."""

# --8<-- [start:draw]
from math import sqrt

import torch

L, S = 20_000, 4  # queries, and keys for each


def draw(d_k):
    """Raw scores of normal queries, a thousand at a time."""
    q = torch.randn(L, d_k)  # (L, D)
    parts = [
        torch.einsum("ld,lsd->ls", some, torch.randn(len(some), S, d_k))
        for some in q.split(1000)
    ]
    return torch.cat(parts).double()  # (L, S)


# --8<-- [end:draw]
# --8<-- [start:measure]
def top_weight(scores):
    """The weight of each query's favourite key, on average."""
    return scores.softmax(-1).max(-1).values.mean().item()


torch.manual_seed(0)
widths = [4, 64, 256, 1024]
var_raw, var_scaled, top_raw, top_scaled = {}, {}, {}, {}
for d_k in widths:
    scores = draw(d_k)
    scaled = scores / sqrt(d_k)
    var_raw[d_k] = scores.var().item()
    var_scaled[d_k] = scaled.var().item()
    top_raw[d_k] = top_weight(scores)
    top_scaled[d_k] = top_weight(scaled)
    spreads = f"{var_raw[d_k]:.2f} {var_scaled[d_k]:.2f}"
    print(d_k, spreads, f"{top_raw[d_k]:.4f} {top_scaled[d_k]:.4f}")
# --8<-- [end:measure]
