"""Weights made again from one number a row, and what backward costs."""

# --8<-- [start:again]
import numpy as np

from attnref import attention, attention_weights

rng = np.random.default_rng(0)
q, k, v = rng.normal(size=(3, 256, 16))  # (n, D)
out, lse = attention(q, k, v, return_lse=True)  # kept: (n, Dv), (n,)

z = q[64:128] @ k[:64].T / 4  # one tile of logits, computed again
again = np.exp(z - lse[64:128, None])  # (64, 64)
kept = attention_weights(q, k)[64:128, :64]
tol = 1e-14
print("within", tol, bool(np.abs(again - kept).max() < tol))
# --8<-- [end:again]

# --8<-- [start:count]
forward = ("scores", "O")
gradients = ("dV", "dA", "dQ", "dK")
backward = ("scores again", *gradients)
n, size = 16_384, 2
weights, statistics = n * n * size, n * 4  # fp16, float32
print(len(forward), len(gradients), len(backward))
print(f"{weights:,} {statistics:,}")
# --8<-- [end:count]
