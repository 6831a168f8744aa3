"""A query that may see no key at all: naive code, and the book's."""

# --8<-- [start:naive]
import numpy as np

from attnref import logsumexp, softmax

scores = np.array([[0.5, -1, 2], [1, 0, 1]], np.float32)
seen = np.array([[True, True, False], [False, False, False]])
masked = np.where(seen, scores, -np.inf)
with np.errstate(invalid="ignore"):  # no warning for 0 / 0
    e = np.exp(masked)
    naive = e / e.sum(-1, keepdims=True)
print(naive.round(4))
# --8<-- [end:naive]

# --8<-- [start:ours]
ours, lse = softmax(masked), logsumexp(masked)
print(ours.round(4))
print("log-sum-exp", lse.round(4))
# --8<-- [end:ours]

# --8<-- [start:large]
large = scores + np.where(seen, 0, np.float32(-1e9))
uniform = softmax(large)
print(uniform.round(4))
# --8<-- [end:large]
