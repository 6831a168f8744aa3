"""From words to rows: token ids, an embedding table, and one-hot rows."""

# --8<-- [start:ids]
import numpy as np

words = "dog cat man bites chases sees old young"
vocabulary = words.split()
sentence = ["dog", "bites", "man"]
ids = [vocabulary.index(token) for token in sentence]
print(ids)
# --8<-- [end:ids]

# --8<-- [start:rows]
rng = np.random.default_rng(70)
table = 0.6 * rng.normal(size=(8, 3))
table = table.round(2)  # (vocabulary, d_model)
X = table[ids]  # (n, d_model)
print(X)
# --8<-- [end:rows]

# --8<-- [start:onehot]
onehot = np.eye(8)[ids]  # (n, vocabulary), a single 1 in each row
print(onehot.astype(int))
same = np.array_equal(onehot @ table, X)
print("the same rows:", same)
# --8<-- [end:onehot]
