"""The same head with the reference of this book."""

import numpy as np

from attnref import attention, attention_weights

Q = K = np.array([[1, 0], [0, 1], [1, 1]], float)  # (L, D) and (S, D)
V = np.array([[1, 0], [0, 2], [3, 1]], float)  # (S, Dv)

A = attention_weights(Q, K, causal=True)  # (L, S)
O_ref = attention(Q, K, V, causal=True)  # (L, Dv)

print(A.round(4))
print(O_ref.round(4))
