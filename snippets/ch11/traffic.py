"""Bytes between memory and chip, written out and counted."""

# --8<-- [start:count]
from attnref.costs import (
    attention_multiply_adds,
    naive_traffic,
    tiled_traffic,
)

n, D, rows, fp16, fp32 = 16_384, 64, 128, 2, 4

one = n * D * fp16  # Q, or K, or V, or O
grid = n * n * fp16  # the scores, or the weights
steps = 2 * one + grid, 2 * grid, grid + 2 * one
naive = sum(steps)

tiles = n // rows  # of queries; each reads all keys and values
tiled = 2 * one + tiles * 2 * one + n * fp32

assert naive == naive_traffic(n, n, D=D)
assert tiled == tiled_traffic(n, n, rows=rows, D=D)
print(f"{naive:,} {tiled:,} {naive / tiled:.2f}")
# --8<-- [end:count]

# --8<-- [start:rows]
by_rows = {
    r: tiled_traffic(n, n, rows=r, D=D) for r in (16, 32, 64, 128, 256)
}
gain = {r: naive / moved for r, moved in by_rows.items()}
print({r: round(g, 2) for r, g in gain.items()})
# --8<-- [end:rows]

# --8<-- [start:double]
longer = tiled_traffic(2 * n, 2 * n, rows=rows, D=D)
work = attention_multiply_adds(n * n, D=D)
print(f"{longer / tiled:.2f}", f"{work / naive:.1f} {work / tiled:.1f}")
# --8<-- [end:double]
