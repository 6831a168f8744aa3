"""How often the maximum moves, by the order of the keys."""

import numpy as np

rng = np.random.default_rng(0)
z = 4 * rng.normal(size=512)
orders = {
    "as they come": z,
    "descending": np.sort(z)[::-1],
    "ascending": np.sort(z),
}
moves = {}
for name, row in orders.items():
    tops = row.reshape(-1, 64).max(axis=1)  # the maximum of each tile
    m = np.maximum.accumulate(tops)  # after each tile
    moves[name] = int((m[1:] > m[:-1]).sum())
print(moves)
