"""Weights made again from one number a row, and what backward costs."""

# --8<-- [start:again]
import numpy as np

from attnref import attention, attention_weights
from attnref.costs import attention_multiply_adds

rng = np.random.default_rng(0)
q, k, v = rng.normal(size=(3, 256, 16))  # (n, D)
out, lse = attention(q, k, v, return_lse=True)  # kept: (n, Dv), (n,)

z = q[64:128] @ k[:64].T / 4  # one tile of logits, computed again
again = np.exp(z - lse[64:128, None])  # (64, 64)
weights = attention_weights(q, k)  # (n, n), to compare with
tol = 1e-14
print(
    "within",
    tol,
    bool(np.abs(again - weights[64:128, :64]).max() < tol),
)
# --8<-- [end:again]

# --8<-- [start:sum]
d_out = rng.normal(size=out.shape)  # how the loss changes with O
d_weights = d_out @ v.T  # and so with A: (n, n)
by_row = (weights * d_weights).sum(axis=1)
off = np.abs(by_row - (d_out * out).sum(axis=1)).max()
loose = 1e-13
print("within", loose, bool(off < loose))
# --8<-- [end:sum]

# --8<-- [start:count]
forward = ("scores", "O")
gradients = ("dV", "dA", "dQ", "dK")
backward = ("scores again", *gradients)
n, size = 16_384, 2
product = attention_multiply_adds(n * n, D=64) // 2  # one of the two
without = (len(forward) + len(gradients)) * product
with_it = (len(forward) + len(backward)) * product
print(f"{without:,} {with_it:,} {with_it / without:.4f}")
# --8<-- [end:count]
