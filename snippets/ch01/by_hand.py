"""A query and a few (key, value) pairs, in plain Python."""

# --8<-- [start:inputs]
from math import atan2, cos, exp, hypot, sqrt

q = [1, 1]  # what is asked
K = [[1, 0], [0, 1], [1, 1]]  # a key per pair: decides
V = [[1, 0], [0, 2], [3, 1]]  # a value per pair: is delivered
d_k = 2  # numbers in a key
# --8<-- [end:inputs]


# --8<-- [start:scores]
def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


scores = [dot(q, k) for k in K]
print(scores)
# --8<-- [end:scores]


# --8<-- [start:reach]
def between(a, b):
    """The angle from a to b."""
    return atan2(b[1], b[0]) - atan2(a[1], a[0])


turned = [[1, 0], [2, 0], [-1, 0.5]]  # the keys of the figure
reaches = [hypot(*q) * cos(between(q, k)) for k in turned]
lengths = [hypot(*k) for k in turned]
products = [r * n for r, n in zip(reaches, lengths)]
for row in zip(reaches, lengths, products):
    print([round(x, 4) for x in row])
# --8<-- [end:reach]

# --8<-- [start:weights]
scaled = [s / sqrt(d_k) for s in scores]
e = [exp(s) for s in scaled]  # positive, unless it rounds to zero
a = [x / sum(e) for x in e]  # sums to 1
print([round(x, 4) for x in a])
# --8<-- [end:weights]

# --8<-- [start:mix]
o = [dot(a, column) for column in zip(*V)]
print([round(x, 4) for x in o])
# --8<-- [end:mix]
