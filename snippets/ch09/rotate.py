"""A query and a key, each turned by its position."""

import numpy as np

from attnref import rope

q, k = np.array([1.0, 0.0]), np.array([0.0, 1.0])
omega = np.pi / 6  # 30 degrees a position


def R(i):
    """q @ R(i) is q, turned by i times omega."""
    c, s = np.cos(i * omega), np.sin(i * omega)
    return np.array([[c, s], [-s, c]])


turned, score = {}, {}
for i, j in ((2, 1), (7, 6)):
    turned[i, j] = q @ R(i), k @ R(j)
    score[i, j] = turned[i, j][0] @ turned[i, j][1]
    for row in turned[i, j]:
        print(row.round(4) + 0.0)  # no minus zero
    print("positions", i, j, "score", score[i, j].round(4))

one = np.allclose(R(7) @ R(6).T, R(1))
rows = np.stack([q, k])
# With two numbers, rope turns by 1 radian a position: pass angles.
ready = rope(rows, np.array([7, 6]) * omega)
same = np.allclose(ready, turned[7, 6])
print("turns add up:", one, "attnref agrees:", same)
