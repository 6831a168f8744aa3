"""A toy space: tokens as arrows, and the cosine between them."""

# --8<-- [start:table]
import numpy as np

toy = {  # placed by hand
    "dog": [0.9, 0.2, 0.3],
    "cat": [0.8, 0.1, 0.5],
    "man": [0.8, 0.5, 0.2],
    "bites": [-0.4, 0.8, 0.3],
    "chases": [-0.6, 0.7, 0.2],
    "sees": [-0.3, 0.9, 0.0],
    "old": [0.1, -0.5, 0.9],
    "young": [-0.1, -0.3, 0.9],
}
toy = {word: np.array(row) for word, row in toy.items()}
# --8<-- [end:table]


# --8<-- [start:cosine]
def cosine(x, y):
    return x @ y / np.sqrt((x @ x) * (y @ y))


dots, cosines, angles = [], [], []
for pair in ("dog cat", "dog bites", "dog old", "old young"):
    x, y = (toy[word] for word in pair.split())
    dots.append(x @ y)
    cosines.append(cosine(x, y))
    angles.append(np.arccos(cosines[-1]))  # in radians
    degrees = np.degrees(angles[-1])
    print(f"{pair:9} {cosines[-1]:7.4f} {degrees:5.1f}°")
# --8<-- [end:cosine]

# --8<-- [start:groups]
groups = ["dog cat man", "bites chases sees", "old young"]
group = {word: g for g in groups for word in g.split()}
within, across = [], []
for a in toy:
    for b in toy:
        if a < b:  # each pair once
            pairs = within if group[a] == group[b] else across
            pairs.append(cosine(toy[a], toy[b]))
print(len(within), "pairs within, the lowest", min(within).round(4))
print(len(across), "pairs across, the highest", max(across).round(4))
# --8<-- [end:groups]
