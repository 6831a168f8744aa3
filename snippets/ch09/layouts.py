"""Weights of one layout, run in the other, then converted."""

import numpy as np

from attnref import half_from_interleaved, rope

n, d_model, D = 5, 16, 8
rng = np.random.default_rng(0)
X = rng.normal(size=(n, d_model))
W_Q, W_K = rng.normal(size=(2, d_model, D))  # trained interleaved
at = np.arange(n)


def scores(W_Q, W_K, layout):
    q, k = X @ W_Q, X @ W_K
    return rope(q, at, layout=layout) @ rope(k, at, layout=layout).T


trained = scores(W_Q, W_K, "interleaved")
as_is = scores(W_Q, W_K, "half")
moved = [half_from_interleaved(W) for W in (W_Q, W_K)]
converted = scores(*moved, "half")
print(trained[2].round(2), as_is[2].round(2), sep="\n")
print("converted:", np.allclose(converted, trained))
on_diagonal = np.allclose(as_is.diagonal(), trained.diagonal())
elsewhere = np.allclose(as_is, trained)
print("as they are:", elsewhere, "their diagonal:", on_diagonal)
columns = half_from_interleaved(np.arange(8.0)).astype(int)
print(columns)
