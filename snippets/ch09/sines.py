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
    """Whether each diagonal holds one number, again and again."""
    lines = [scores.diagonal(d) for d in range(1 - n, n)]
    spread = [np.ptp(line) for line in lines]  # largest − smallest
    return bool(max(spread) < near)


rng = np.random.default_rng(0)
x = rng.normal(size=d_model)  # the same token at every place
W_Q, W_K = rng.normal(size=(2, d_model, d_model))
X = np.tile(x, (n, 1))
bare = by_distance(P @ P.T)
token = by_distance((X + P) @ (X + P).T)
matrices = by_distance(P @ W_Q @ (P @ W_K).T)
turned = by_distance(rope(X @ W_Q, at) @ rope(X @ W_K, at).T)
print("positions alone:", bare)
print("with a token:", token, "with matrices:", matrices)
print("turned behind the matrices:", turned)
# --8<-- [end:between]
