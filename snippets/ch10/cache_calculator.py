"""A key scores more than another: what both of them get."""

import numpy as np

import attnref

cache_calculator_scores = np.array([2.0, 0.0])
cache_calculator_weights = attnref.softmax(cache_calculator_scores)

print(cache_calculator_weights.round(4))
