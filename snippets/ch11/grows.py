"""What grows with the tokens: work, stored scores, traffic."""

from attnref.costs import (
    attention_multiply_adds,
    naive_traffic,
    score_bytes,
)

D = 64  # the width of a head, d_h = d_v
lengths = 8_192, 16_384, 32_768
work = {n: attention_multiply_adds(n * n, D=D) for n in lengths}
stored = {n: score_bytes(n, n) for n in lengths}  # fp16
moved = {n: naive_traffic(n, n, D=D) for n in lengths}  # fp16

for n in lengths:
    print(f"{n:,}", f"{work[n]:,}", f"{stored[n]:,}", f"{moved[n]:,}")
