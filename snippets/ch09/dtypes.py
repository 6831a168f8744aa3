"""One score, a half in theory, with positions and angles in three dtypes."""

import torch

pairs = [(2, 1), (7, 6), (1001, 1000), (1_000_000, 999_999)]
dtypes = [torch.float64, torch.float32, torch.bfloat16]


def rounded_score(i, j, dtype):
    """Position, speed and their product in a dtype, the rest wide."""
    omega = torch.tensor(torch.pi / 6, dtype=torch.float64).to(dtype)
    at_i, at_j = (torch.tensor(x).to(dtype) * omega for x in (i, j))
    return (at_i.double() - at_j.double()).sin().item()


by_dtype = {p: [rounded_score(*p, d) for d in dtypes] for p in pairs}
for pair, found in by_dtype.items():
    print(*pair, *(round(x, 4) for x in found))
