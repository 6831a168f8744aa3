"""Along the columns, a causal head looks into the future."""

import numpy as np

from attnref import masks, softmax

K = np.array([[1, 0], [0, 1], [1, 1]], float)  # (S, D)
rows, columns = {}, {}  # the first token's weight for itself
for last in ((1, 1), (5, 5)):  # two texts that differ at the end
    Q = np.array([[1, 0], [0, 1], last], float)  # (L, D)
    scaled = Q @ K.T / np.sqrt(2)
    masked = np.where(masks.causal(3), scaled, -np.inf)  # (L, S)
    rows[last] = softmax(masked, axis=-1)[0, 0]
    columns[last] = softmax(masked, axis=0)[0, 0]
    print(last, rows[last].round(4), columns[last].round(4))
