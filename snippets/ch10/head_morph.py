"""A key scores more than another: what both of them get."""

import numpy as np

import attnref

head_morph_scores = np.array([2.0, 0.0])
head_morph_weights = attnref.softmax(head_morph_scores)

print(head_morph_weights.round(4))
