"""A few tokens projected into queries, keys and values, and scored."""

# --8<-- [start:inputs]
import numpy as np

X = np.array(
    [
        [1, 0, 2, -1, 1],
        [0, 1, -1, 1, 2],
        [2, 1, 0, 1, -1],
        [1, -1, 1, 0, 1],
    ]
)  # (n, d_model): one row per token
W_Q = np.array(
    [[1, 0, -1], [-1, -1, 0], [-1, 0, 2], [-1, -1, 1], [1, 0, 0]]
)
W_K = np.array(
    [[0, 0, 1], [1, 1, -1], [0, 1, 0], [-1, 1, 0], [1, 0, 0]]
)
W_V = np.array(
    [[1, 0], [0, 1], [0, 1], [1, 0], [0, -1]]
)  # (d_model, Dv)
print(X.shape, W_Q.shape, W_K.shape, W_V.shape)
# --8<-- [end:inputs]

# --8<-- [start:entry]
x, column = X[0], W_Q[:, 0]
print(x * column, "sum", (x * column).sum())
# --8<-- [end:entry]

# --8<-- [start:project]
Q = X @ W_Q  # (n, D)
K = X @ W_K  # (n, D)
V = X @ W_V  # (n, Dv)
for name, rows in ("Q", Q), ("K", K), ("V", V):
    print(name, rows.shape, rows.tolist())
# --8<-- [end:project]

# --8<-- [start:scores]
scores = Q @ K.T  # (n, n): row i holds q_i against every key
print(scores)
# --8<-- [end:scores]

# --8<-- [start:mirror]
negative = int((scores < 0).sum())
pairs = len(X) * (len(X) - 1) // 2  # i < j
unequal = int(np.triu(scores != scores.T).sum())
shared = Q @ Q.T  # the scores if W_K were W_Q
print("negative:", negative, "of", scores.size)
print("unlike their mirror:", unequal, "of", pairs, "pairs")
print("with W_K = W_Q:")
print(shared)
# --8<-- [end:mirror]
