"""Where the outputs of random heads lie, seen from their values."""

# --8<-- [start:triangle]
import numpy as np

from attnref import attention

V = np.array([[1, 0], [0, 2], [3, 1]], float)  # (S, Dv)
corners = np.vstack([V.T, np.ones(3)])  # its last row: sums to one


def needed(points):
    """The only weights that sum to one and mix V to each point."""
    full = np.vstack([np.transpose(points), np.ones(len(points))])
    return np.linalg.solve(corners, full).T


asked = [(1.0, 0.5), (2, 2), (0, 0)]
W = needed(asked)
for point, row in zip(asked, W):
    print(point, row.round(4))
# --8<-- [end:triangle]

# --8<-- [start:heads]
rng = np.random.default_rng(0)
heads = 1000
q = 3 * rng.standard_normal((heads, 10, 2))  # (H, L, D)
k = 3 * rng.standard_normal((heads, 3, 2))  # (H, S, D)
v = np.broadcast_to(V, (heads, 3, 2))  # (H, S, Dv), the same for all
O = attention(q, k, v).reshape(-1, 2)

tiny = 1e-12  # what rounding may cost
lowest = needed(O).min()
print(len(O), "outputs, each in the triangle:", lowest > -tiny)
# --8<-- [end:heads]
