"""What heads cost at a fixed width, as PyTorch counts it."""

import torch
from torch.utils.flop_counter import FlopCounterMode

n, d_model = 2000, 512
heads = [1, 8, 16]


def attend(q, k, v):
    scores = q @ k.mT  # (H, n, n); a softmax has no product
    return scores, scores @ v  # (H, n, D)


def project(X, W):
    return [X @ each for each in W]


def count(work, *arrays):
    """Multiply-adds, each of which the counter takes for two FLOPs."""
    with FlopCounterMode(display=False) as counter:
        made = work(*arrays)
    return counter.get_total_flops() // 2, made


X = torch.empty(n, d_model, device="meta")  # a shape, no numbers
W = torch.empty(4, d_model, d_model, device="meta")
parameters = W.numel()  # W_Q, W_K, W_V and W_O
projections, _ = count(project, X, W)
print(f"{projections:,} with {parameters:,} parameters")

width, products, score_cells = {}, {}, {}
for H in heads:
    width[H] = D = d_model // H
    q, k, v = torch.empty(3, H, n, D, device="meta")
    products[H], (scores, _) = count(attend, q, k, v)
    score_cells[H] = scores.numel()
    print(H, D, f"{products[H]:,} {score_cells[H]:,}")
