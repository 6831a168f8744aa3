"""The same scores, turned into shares along rows and along columns."""

# --8<-- [start:rows]
import numpy as np

from attnref import softmax

Q = K = np.array([[1, 0], [0, 1], [1, 1]], float)  # (L, D), (S, D)
V = np.array([[1, 0], [0, 2], [3, 1]], float)  # (S, Dv)

scaled = Q @ K.T / np.sqrt(2)  # (L, S): a row for each query
A = softmax(scaled, axis=-1)  # along the keys
by_query, by_key = A.sum(axis=-1), A.sum(axis=0)
print(A.round(4))
print("rows", by_query.round(4), "columns", by_key.round(4))
# --8<-- [end:rows]

# --8<-- [start:columns]
C = softmax(scaled, axis=0)  # along the queries
handed_out = C.sum(axis=-1)  # by each query
print(C.round(4))
print("rows", handed_out.round(4), "columns", C.sum(0).round(4))
# --8<-- [end:columns]
