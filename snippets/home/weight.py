"""One weight of the worked example: the share of a score among all."""

from math import exp, sqrt

scores = [1, 1, 2]
numerator = exp(scores[0] / sqrt(2))
total = sum(exp(score / sqrt(2)) for score in scores)
weight = numerator / total
print(round(numerator, 4), round(total, 4), round(weight, 4))
