"""A head with a mistake, its remedy, and what a checker says to both."""

# --8<-- [start:heads]
import math
from textwrap import indent, wrap

from torch.nn.functional import scaled_dot_product_attention as sdpa

from attnref.check import diagnose


def mine(q, k, v, mask):
    z = q @ k.mT / math.sqrt(q.shape[-1])
    return (z.softmax(-1) * mask) @ v


def mended(q, k, v, mask):
    z = q @ k.mT / math.sqrt(q.shape[-1])
    return z.masked_fill(~mask, -math.inf).softmax(-1) @ v


def fused(q, k, v, mask):
    return sdpa(q, k, v, attn_mask=mask)


# --8<-- [end:heads]


# --8<-- [start:tell]
def tell(head):
    report = diagnose(head)
    print(f"{head.__name__}: {len(report.mistakes)} found")
    for mistake in report.mistakes:
        print("✗", *mistake.names)
        print(indent("\n".join(wrap(mistake.says, 42)), "  "))
    return report


reports = [tell(head) for head in (mine, mended, fused)]
# --8<-- [end:tell]
