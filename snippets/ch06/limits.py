"""Up to which logit an exponential is still a number, in each format."""

import math

import torch

largest, limit = {}, {}
for name in ("float16", "bfloat16", "float32", "float64"):
    largest[name] = torch.finfo(getattr(torch, name)).max
    limit[name] = math.log(largest[name])
    print(f"{name:8} {largest[name]:.2e} {limit[name]:.2f}")
