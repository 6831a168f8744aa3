"""The same query with the reference of this book."""

import numpy as np

from attnref import attention, attention_weights

q_row = np.array([[1, 1]], float)  # (L, D): one query is a row
keys = np.array([[1, 0], [0, 1], [1, 1]], float)  # (S, D)
values = np.array([[1, 0], [0, 2], [3, 1]], float)  # (S, Dv)

A = attention_weights(q_row, keys)  # (L, S)
O = attention(q_row, keys, values)  # (L, Dv)

print(A.round(4), A.shape)
print(O.round(4), O.shape)
