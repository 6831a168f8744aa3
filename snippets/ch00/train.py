"""Rows that start random, and are placed by guessing neighbours."""

# --8<-- [start:text]
from itertools import pairwise, product

import numpy as np

who, does, how = "dog cat man", "bites chases sees", "old young"
words = f"{who} {does} {how}".split()
slots = [part.split() for part in (how, who, does, how, who)]
sentences = list(product(*slots))  # old dog bites young man, …
counts = np.zeros((8, 8))  # [a, b]: how often b stands beside a
for sentence in sentences:
    places = [words.index(word) for word in sentence]
    for a, b in pairwise(places):
        counts[a, b] += 1
        counts[b, a] += 1
print(len(sentences), "sentences,", int(counts.sum()), "neighbours")
# --8<-- [end:text]


# --8<-- [start:train]
def train(seed, steps=300):
    rng = np.random.default_rng(seed)
    start = table = rng.normal(size=(8, 3)) / 10  # (vocab, d_model)
    guesser = rng.normal(size=(3, 8)) / 10
    for _ in range(steps):
        guess = np.exp(table @ guesser)
        guess /= guess.sum(1, keepdims=True)  # shares: a softmax
        error = guess * counts.sum(1, keepdims=True) - counts
        error /= counts.sum()
        down = error @ guesser.T, table.T @ error  # the gradients
        table, guesser = table - down[0], guesser - down[1]
    return start, table


# --8<-- [end:train]


# --8<-- [start:judge]
kind = np.array([0, 0, 0, 1, 1, 1, 2, 2])  # whose group: only to judge
alike = kind[:, None] == kind


def judge(table):
    """The lowest cosine within a group and the highest across."""
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = unit @ unit.T
    return cosines[alike].min(), cosines[~alike].max()


runs = np.array([[judge(t) for t in train(seed)] for seed in range(5)])
for before, after in runs:
    print("within, across:", before.round(2), "then", after.round(2))
within_before, within_after = runs[:, :, 0].min(0)  # the worst start
across_before, across_after = runs[:, :, 1].max(0)
# --8<-- [end:judge]
