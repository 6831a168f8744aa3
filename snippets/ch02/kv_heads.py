"""How many key and value heads the query heads can share."""

import numpy as np

from attnref import attention

Hq = 6
query = np.ones((2, Hq, 5, 4))  # (B, Hq, L, D)
kept, refused = {}, []
for Hkv in range(1, Hq + 1):
    key, value = np.ones((2, Hkv, 7, 4)), np.ones((2, Hkv, 7, 8))
    try:
        out = attention(query, key, value)  # (B, Hq, L, Dv)
        kept[Hkv] = key.size + value.size
        print(Hkv, "stored:", kept[Hkv], "output:", out.shape)
    except ValueError as error:
        refused.append(Hkv)
        print(Hkv, error)
