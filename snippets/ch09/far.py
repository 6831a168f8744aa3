"""Far out in a text, the angles are rounded, and scores move."""

import numpy as np

theory = np.sin(np.pi / 6)
i, j = 1_000_000, 999_999


def score(angle_i, angle_j):
    """q = [1, 0] and k = [0, 1], turned, in the angles' dtype."""
    q = np.stack([np.cos(angle_i), np.sin(angle_i)])
    k = np.stack([-np.sin(angle_j), np.cos(angle_j)])
    return q @ k


wide = [x * (np.pi / 6) for x in (i, j)]  # float64
rounded = [np.float32(x) for x in wide]
omega = np.float32(np.pi / 6)
product = [np.float32(x) * omega for x in (i, j)]
results = {}
for name, angles in (
    ("float64", np.array(wide)),
    ("float32, the product", np.array(product)),
    ("float32, rounded once", np.array(rounded)),
):
    results[name] = score(*angles), angles[0] - angles[1]
    print(name, *(x.round(4) for x in results[name]))
step = np.spacing(product[0])
print("steps of", step)
