"""The running example, a token at a time: by hand with a cache, then with the reference's."""

# --8<-- [start:hand]
import numpy as np

from attnref import attention, softmax
from attnref.cache import Cache

Q = K = np.array([[1, 0], [0, 1], [1, 1]], float)
V = np.array([[1, 0], [0, 2], [3, 1]], float)

K_kept, V_kept = np.empty((0, 2)), np.empty((0, 2))
weights, outputs, kept = [], [], []
for q, k, v in zip(Q, K, V):  # a token at a time
    K_kept = np.vstack([K_kept, k])  # append a row,
    V_kept = np.vstack([V_kept, v])
    z = K_kept @ q / np.sqrt(2)  # (S,): and no mask
    weights.append(softmax(z))
    outputs.append(weights[-1] @ V_kept)  # (Dv,)
    kept.append(K_kept.size + V_kept.size)
    print(kept[-1], weights[-1].round(4), outputs[-1].round(4))
# --8<-- [end:hand]

# --8<-- [start:check]
O = attention(Q, K, V, causal=True)  # (L, Dv): all at once
cache, tol = Cache(), 1e-12
steps = [
    cache.attend(Q[t : t + 1], K[t : t + 1], V[t : t + 1])  # (1, Dv)
    for t in range(len(Q))
]
gap = max(np.abs(x - O).max() for x in (np.vstack(steps), outputs))
print(len(cache), "tokens kept, same as in one call:", gap < tol)
# --8<-- [end:check]
