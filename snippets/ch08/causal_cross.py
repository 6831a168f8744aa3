"""A causal flag left on in cross-attention hides source tokens."""

import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

torch.manual_seed(0)
q, k = torch.randn(1, 1, 4, 8), torch.randn(1, 1, 6, 8)
tags = torch.eye(6)[None, None]  # as values: the output is the weights
read = {}
for causal in (False, True):
    A = sdpa(q, k, tags, is_causal=causal)[0, 0]  # (L, S)
    read[causal] = (A > 0).sum(-1).tolist()
    print(causal, read[causal])
never = int((A.amax(0) == 0).sum())  # source tokens nobody may read
print("never read:", never)
