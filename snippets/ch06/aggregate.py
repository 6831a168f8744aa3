"""Weights take values with them: a mixture by hand, then for every query."""

# --8<-- [start:one]
import numpy as np

from attnref import attention_weights

V = np.array([[1, 0], [0, 2], [3, 1]], float)  # (S, Dv)
w = np.array([0.7, 0.2, 0.1])  # what one query gives to each key
o = w @ V  # (Dv,)
print(o.round(4))
# --8<-- [end:one]

# --8<-- [start:all]
Q = K = np.array([[1, 0], [0, 1], [1, 1]], float)
A = attention_weights(Q, K)  # (L, S)
O = A @ V  # (L, Dv)
print(O.round(4))
# --8<-- [end:all]

# --8<-- [start:nudge]
nudged = V.copy()
nudged[1, 0] += 1  # the second value, first coordinate
moved = A @ nudged - O  # (L, Dv)
print(moved.round(4))
# --8<-- [end:nudge]
