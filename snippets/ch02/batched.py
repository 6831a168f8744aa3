"""Many sequences and many heads: more axes, in front."""

import numpy as np

from attnref import attention, attention_weights

B, Hq, Hkv, L, S, D, Dv = 2, 6, 3, 5, 7, 4, 8
rng = np.random.default_rng(0)
q = rng.normal(size=(B, Hq, L, D))
k = rng.normal(size=(B, Hkv, S, D))
v = rng.normal(size=(B, Hkv, S, Dv))

a = attention_weights(q, k)  # (B, Hq, L, S)
o = attention(q, k, v)  # (B, Hq, L, Dv)
arrays = {"q": q, "k": k, "v": v, "a": a, "o": o}
shape = {name: x.shape for name, x in arrays.items()}
for name, axes in shape.items():
    print(name, axes)

G = Hq // Hkv  # query heads that share one key and value head
alone = np.zeros_like(o)
for b in range(B):
    for h in range(Hq):
        alone[b, h] = attention(q[b, h], k[b, h // G], v[b, h // G])
same = np.allclose(o, alone)
print("one head at a time gives the same:", same)
