"""What a single head cannot hand over, and a pair of heads can."""

import numpy as np

V = np.array([[8, 0], [0, 0], [0, 4]])  # (S, Dv)
other_V = np.array([[4, 0], [0, 0], [4, 4]])

half = np.array([0.5, 0, 0.5])  # one query, one head: a row of weights
merged, other_merged = half @ V, half @ other_V

first, third = np.array([1, 0, 0]), np.array([0, 0, 1])  # two heads
apart = np.concatenate([first @ V, third @ V])
other_apart = np.concatenate([first @ other_V, third @ other_V])

print("one head: ", merged, other_merged)
print("two heads:", apart, other_apart)
