"""Attention as functions that pass on nothing but the weights."""

from math import exp, sqrt


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def weigh(q, K):  # no value in sight
    e = [exp(dot(q, k) / sqrt(len(q))) for k in K]
    return [x / sum(e) for x in e]


def mix(a, V):  # no query and no key
    return [dot(a, column) for column in zip(*V)]


q, K = [1, 1], [[1, 0], [0, 1], [1, 1]]
V = [[1, 0], [0, 2], [3, 1]]
moved = [[1, 0], [2, 3], [3, 1]]  # another second value
asked = [2, 2]  # another query: twice as long

for query, values in [(q, V), (q, moved), (asked, V)]:
    shares = weigh(query, K)
    out = mix(shares, values)
    print([round(a, 4) for a in shares], [round(x, 4) for x in out])
