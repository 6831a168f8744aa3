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


at = np.arange(n)
moved = np.abs(rope(q, at + 1000) - rope(q, at)).max(1)  # (n,)
kept_scores = np.abs(scores(1000) - scores(0)).max() < near
kept_outputs = np.abs(outputs(1000) - outputs(0)).max() < near
all_moved = bool((moved > 1).all())
print("all queries moved:", all_moved)
print("scores kept:", kept_scores, "outputs kept:", kept_outputs)
