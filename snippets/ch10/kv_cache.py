"""A key scores more than another: what both of them get."""

import numpy as np

import attnref

kv_cache_scores = np.array([2.0, 0.0])
kv_cache_weights = attnref.softmax(kv_cache_scores)

print(kv_cache_weights.round(4))
