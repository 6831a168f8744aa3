"""One causal head in plain Python: no library at all."""

# --8<-- [start:inputs]
from math import exp, inf, sqrt

Q = K = [[1, 0], [0, 1], [1, 1]]  # one row per token
V = [[1, 0], [0, 2], [3, 1]]
d_k = 2  # numbers in a key
# --8<-- [end:inputs]


# --8<-- [start:scores]
def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


scores = [[dot(q, k) for k in K] for q in Q]  # one product per pair
for row in scores:
    print(row)
# --8<-- [end:scores]

# --8<-- [start:scale]
scaled = [[s / sqrt(d_k) for s in row] for row in scores]
print([round(s, 4) for s in scaled[2]])
# --8<-- [end:scale]

# --8<-- [start:mask]
M = [
    [0 if j <= i else -inf for j in range(len(K))]
    for i in range(len(Q))
]
masked = [[s + m for s, m in zip(*rows)] for rows in zip(scaled, M)]
for row in masked:
    print([round(s, 4) for s in row])
# --8<-- [end:mask]

# --8<-- [start:softmax]
E = [[exp(s) for s in row] for row in masked]  # exp(-inf) is 0
A = [[e / sum(row) for e in row] for row in E]  # each row sums to 1
for row in A:
    print([round(a, 4) for a in row])
# --8<-- [end:softmax]

# --8<-- [start:mix]
O = [[dot(row, column) for column in zip(*V)] for row in A]
for row in O:
    print([round(x, 4) for x in row])
# --8<-- [end:mix]
