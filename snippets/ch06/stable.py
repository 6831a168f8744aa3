"""A softmax that overflows, and one that no score can overflow."""

# --8<-- [start:naive]
import numpy as np

from attnref import logsumexp

z = np.array([1000.0, 1001.0, 1002.0])  # three large logits

with np.errstate(all="ignore"):  # NumPy would warn
    e = np.exp(z)
    naive = e / e.sum()
print(e, naive)
# --8<-- [end:naive]

# --8<-- [start:stable]
m = z.max()
e = np.exp(z - m)  # the largest is 1, the sum at least 1
a = e / e.sum()
print(e.round(4), a.round(4))

near = [0, 1, 2]  # the same gaps, small enough as they are
plain = np.exp(near)
same = np.allclose(a, plain / plain.sum(), rtol=1e-12, atol=0)
print("the same weights:", same)
# --8<-- [end:stable]

# --8<-- [start:lse]
lse = m + np.log(e.sum())  # one number for the row
again = np.exp(z - lse)
print(lse.round(4), again.round(4), logsumexp(z).round(4))
# --8<-- [end:lse]
