"""What the top weight does depend on: the number of keys."""

import torch

from attnref import attention_weights

torch.manual_seed(0)
trials, D = 250, 64  # a trial takes the place of a head
sizes = [2, 4, 16, 64, 256, 1024]
by_keys = {}
for count in sizes:
    q = torch.randn(trials, 50, D)  # (H, L, D)
    k = torch.randn(trials, count, D)  # (H, S, D)
    A = attention_weights(q, k)  # (H, L, S), scaled by 1 / sqrt(D)
    by_keys[count] = A.max(-1).values.mean().item()
    print(count, f"{by_keys[count]:.3f}")
