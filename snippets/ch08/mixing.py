"""Where heads meet: a change, before and after the last matrix."""

# --8<-- [start:poke]
import numpy as np

from attnref import attention, join_heads, split_heads

rng = np.random.default_rng(0)
n, d_model, H = 5, 12, 3
X = rng.normal(size=(n, d_model))
W_Q, W_K, W_V, W_O = rng.normal(size=(4, d_model, d_model))
q, k, v = (split_heads(X @ W, H) for W in (W_Q, W_K, W_V))

poked = v.copy()
poked[0] += 1  # head 1 hands over something else

before = [join_heads(attention(q, k, x)) for x in (v, poked)]
after = [x @ W_O for x in before]


def moved(pair):
    """The columns that differ, counted from 1."""
    gap = np.abs(pair[1] - pair[0]).max(0)  # (d_model,)
    return [c + 1 for c in range(d_model) if gap[c] > 1e-9]


print("without W_O:", moved(before))
print("with W_O:   ", moved(after))
# --8<-- [end:poke]

# --8<-- [start:sum]
O = attention(q, k, v)  # (H, n, Dv)
Dv = O.shape[-1]
stripes = [W_O[h * Dv : (h + 1) * Dv] for h in range(H)]
summed = sum(O[h] @ stripes[h] for h in range(H))
near = 1e-12
same = bool(np.abs(summed - after[0]).max() < near)
print("a sum over heads:", same)
# --8<-- [end:sum]
