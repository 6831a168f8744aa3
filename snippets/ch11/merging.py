"""Partial results over different keys become one, in any grouping."""

import numpy as np

from attnref import attention, merge

rng = np.random.default_rng(0)
q = rng.normal(size=(1, 8))  # (L, D)
k, v = rng.normal(size=(2, 60, 8))  # (S, D), (S, Dv)

cuts = slice(0, 10), slice(10, 35), slice(35, 60)
a, b, c = (attention(q, k[s], v[s], return_lse=True) for s in cuts)


def join(*parts):
    outs, lses = zip(*parts)
    return merge(outs, lses)


left, right = join(join(a, b), c), join(a, join(b, c))
whole = attention(q, k, v)
tol = 1e-14
same = [bool(np.abs(x[0] - whole).max() < tol) for x in (left, right)]
print("within", tol, same)
