"""The same rows in another order: what attention cannot see without position."""

# --8<-- [start:bag]
import numpy as np

from attnref import attention, sinusoidal

row = {  # the toy space, with a 0 to make the width even
    "dog": [0.9, 0.2, 0.3, 0],
    "bites": [-0.4, 0.8, 0.3, 0],
    "man": [0.8, 0.5, 0.2, 0],
}
X1 = np.array([row[word] for word in ["dog", "bites", "man"]])
X2 = np.array([row[word] for word in ["man", "bites", "dog"]])


def bag(X):
    """Its rows without their order: sorted."""
    return sorted(X.tolist())


blind = bag(X1) == bag(X2)
print("the same bag:", blind)
# --8<-- [end:bag]

# --8<-- [start:blind]
q = np.array([[1.0, 0, 2, 0]])  # any query will do
out1, out2 = attention(q, X1, X1), attention(q, X2, X2)
near = 1e-12
unmoved = abs(out1 - out2).max() < near
print(out1.round(4), out2.round(4), unmoved, sep="\n")
# --8<-- [end:blind]

# --8<-- [start:position]
base, d_model = 10000, X1.shape[1]
speeds = [base ** (-2 * f / d_model) for f in (0, 1)]
P = sinusoidal(np.arange(3), d_model, base=base)  # (n, d_model)
print(P.round(4))
angle = np.arange(3)[:, None] * speeds  # (n, pairs)
by_hand = np.stack([np.sin(angle), np.cos(angle)], -1)
print("by hand:", np.allclose(by_hand.reshape(P.shape), P))
told = bag(X1 + P) == bag(X2 + P)
print("the same bag:", told)
placed1 = attention(q, X1 + P, X1 + P)
placed2 = attention(q, X2 + P, X2 + P)
print(placed1.round(4), placed2.round(4), sep="\n")
# --8<-- [end:position]
