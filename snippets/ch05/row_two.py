"""A row of the running example, masked before the softmax and after it."""

# --8<-- [start:first]
from math import exp, inf, sqrt

d_k = 2  # the head's width
V = [[1, 0], [0, 2], [3, 1]]
scores = [0, 1, 1]  # the second query's dot products
M = [0, 0, -inf]  # the third key is in its future


def exponentials(row):
    return [exp(x) for x in row]


def softmax(row):
    e = exponentials(row)
    return [x / sum(e) for x in e]


def mix(weights):
    return [sum(a * v[c] for a, v in zip(weights, V)) for c in (0, 1)]


scaled = [s / sqrt(d_k) for s in scores]
masked = [s + m for s, m in zip(scaled, M)]
A = softmax(masked)
O = mix(A)
print([round(x, 4) for x in exponentials(masked)])
print([round(a, 4) for a in A], "sum", round(sum(A), 4))
# --8<-- [end:first]

# --8<-- [start:late]
A_all = softmax(scaled)  # nothing is hidden yet
A_late = [a if m == 0 else 0 for a, m in zip(A_all, M)]
kept = sum(A_late)
lost = 1 - kept
print([round(a, 4) for a in A_late], "sum", round(kept, 4))

O_late = mix(A_late)
print(
    [round(x, 4) for x in O_late],
    "in place of",
    [round(x, 4) for x in O],
)
A_again = [a / kept for a in A_late]  # divided once more
print([round(a, 4) for a in A_again])
# --8<-- [end:late]

# --8<-- [start:leak]
kept_by, first_by = {}, {}
for third in (-1, 1, 3):  # the score of the hidden key
    row = [s / sqrt(d_k) for s in (0, 1, third)]
    kept_by[third] = sum(softmax(row)[:2])
    first_by[third] = softmax([s + m for s, m in zip(row, M)])
    weights = [round(a, 4) for a in first_by[third]]
    print(
        third, "late, sum", round(kept_by[third], 4), "first", weights
    )
# --8<-- [end:leak]
