"""How fast each pair turns, and after how many positions it is back."""

import numpy as np

D, base = 128, 10000.0
f = np.arange(D // 2)  # which pair
omega_f = base ** (-2 * f / D)  # radians a position
around = 2 * np.pi / omega_f  # positions for a full turn
some = [0, 1, 32, 63]
for pair in some:
    print(pair, omega_f[pair].round(6), around[pair].round(1))

slower = 2 * np.pi / (50 * base) ** (-2 * f / D)
print("slowest, base fifty times as large:", slower[-1].round())
n = 8192  # tokens of a text
come_round = [int((turn <= n).sum()) for turn in (around, slower)]
print("pairs that come round in it:", come_round)
