"""Positions in bfloat16: neighbours become one number."""

import torch

at = torch.tensor([255, 256, 257, 258, 1000, 1001, 1002, 1003])
stored = at.bfloat16().long()
print(stored.tolist())
