"""A value that nobody may see, and that is not a number."""

# --8<-- [start:poison]
import numpy as np

from attnref import attention, attention_weights

rng = np.random.default_rng(0)
q, k, v = rng.normal(size=(3, 4, 2))  # (L, D), (S, D), (S, Dv)
real = np.arange(4) < 3  # the last place is padding
v[3] = np.nan  # and whoever made room there did not clear it

shares = attention_weights(q, k, mask=real[None])
poisoned = attention(q, k, v, mask=real[None])
print("weights of the last key:", shares[:, 3])
print("numbers left in the output:", np.isfinite(poisoned).sum())
# --8<-- [end:poison]

# --8<-- [start:cure]
cleared = np.where(real[:, None], v, 0)
cured = attention(q, k, cleared, mask=real[None])
print("after clearing:", np.isfinite(cured).sum())
# --8<-- [end:cure]
