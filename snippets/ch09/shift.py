"""Move a text a long way on: no rotated score changes."""

import numpy as np

from attnref import attention, rope

n, D = 6, 64
rng = np.random.default_rng(0)
q, k, v = rng.normal(size=(3, n, D))
near = 1e-9


def scores(shift):
    at = np.arange(n) + shift
    return rope(q, at) @ rope(k, at).T  # (n, n)


def outputs(shift):
    at = np.arange(n) + shift
    return attention(rope(q, at), rope(k, at), v, causal=True)


moved = np.abs(
    rope(q, np.arange(n) + 1000) - rope(q, np.arange(n))
).max()
kept_scores = np.abs(scores(1000) - scores(0)).max() < near
kept_outputs = np.abs(outputs(1000) - outputs(0)).max() < near
print("queries moved:", moved > 1)
print("scores kept:", kept_scores, "outputs kept:", kept_outputs)
