"""Sines know the distance, and learned matrices come between."""

# --8<-- [start:sines]
import numpy as np

from attnref import rope, sinusoidal

n, d_model = 8, 16
at = np.arange(n)
P = sinusoidal(at, d_model)
speed = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
distance = at[:, None] - at  # (n, n)
cosines = np.cos(distance[..., None] * speed).sum(-1)
sums = np.allclose(P @ P.T, cosines)
print("a sum of cosines of the distance:", sums)
# --8<-- [end:sines]


# --8<-- [start:between]
def by_distance(scores, near=1e-9):
    """Whether every diagonal holds one number, again and again."""
    lines = [scores.diagonal(d) for d in range(1 - n, n)]
    return bool(max(np.ptp(line) for line in lines) < near)


rng = np.random.default_rng(0)
x = rng.normal(size=d_model)  # the same token at every place
W_Q, W_K = rng.normal(size=(2, d_model, d_model))
X = np.tile(x, (n, 1))
bare = by_distance(P @ P.T)
added = by_distance((X + P) @ W_Q @ ((X + P) @ W_K).T)
turned = by_distance(rope(X @ W_Q, at) @ rope(X @ W_K, at).T)
print("bare:", bare, "added:", added, "turned:", turned)
# --8<-- [end:between]
