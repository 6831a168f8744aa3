"""How far from a right angle random directions typically are."""

import numpy as np

rng = np.random.default_rng(0)
widths, typical = [3, 64, 8192], {}
for d in widths:
    a, b = rng.normal(size=(2, 2000, d))  # 2,000 pairs of arrows
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cos = (a * b).sum(1) / lengths
    typical[d] = np.sqrt((cos**2).mean())  # root mean square
    print(f"d = {d:4}: {typical[d]:.3f}, 1/√d = {d**-0.5:.3f}")
