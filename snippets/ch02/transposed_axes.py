"""The sequence left in the axis where the heads should be."""

# --8<-- [start:silent]
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

torch.manual_seed(0)
B, L, H, D = 2, 5, 6, 4
q, k, v = torch.randn(3, B, L, H, D)  # axes not exchanged yet


def wrong(q, k, v):
    return sdpa(q, k, v)


def right(q, k, v):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))  # (B, H, L, D)
    return sdpa(q, k, v).transpose(1, 2)  # (B, L, H, D)


bad, good = wrong(q, k, v), right(q, k, v)
same_shape = bad.shape == good.shape
close = torch.allclose(bad, good, atol=0.1)
print("same shape:", same_shape)
print("numbers close:", close)
# --8<-- [end:silent]


# --8<-- [start:poke]
def listeners(attend):
    """Whose output moves when the last token's value does."""
    poked = v.clone()
    poked[:, -1] += 1
    moved = (attend(q, k, poked) - attend(q, k, v)).abs()
    return (moved.amax((0, 2, 3)) > 1e-3).tolist()


print("wrong:", listeners(wrong))
print("right:", listeners(right))
# --8<-- [end:poke]

# --8<-- [start:other]
seen = torch.ones(L, L, dtype=torch.bool)  # every query, every key
attempts = {
    "causal": lambda: sdpa(q, k, v, is_causal=True),
    "decode": lambda: sdpa(q[:, :1], k, v),  # one query a sequence
    "cross": lambda: sdpa(q[:, :3], k, v),  # three
    "masked": lambda: sdpa(q, k, v, seen),
}
result = {}
for name, attempt in attempts.items():
    try:
        result[name] = tuple(attempt().shape)
    except RuntimeError as error:
        result[name] = type(error).__name__
    print(name, result[name])
# --8<-- [end:other]
