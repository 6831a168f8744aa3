"""Every pair of coin-toss vectors, and how their scores spread."""

from collections import Counter
from itertools import product

width = 4  # numbers in a query and in a key
coin = [-1, 1]  # mean 0, variance 1

tosses = list(product(coin, repeat=width))  # every vector there is
dots = [
    sum(x * y for x, y in zip(q, k)) for q in tosses for k in tosses
]
counts = dict(sorted(Counter(dots).items()))
mean = sum(dots) / len(dots)
variance = sum((s - mean) ** 2 for s in dots) / len(dots)

print(counts)
print("mean", mean, "variance", variance)

one = [x * y for x in coin for y in coin]  # a single product
mean_one = sum(one) / len(one)
var_one = sum((x - mean_one) ** 2 for x in one) / len(one)
print("of one product: mean", mean_one, "variance", var_one)
