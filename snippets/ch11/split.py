"""Causal work, cut among devices in blocks and in stripes."""

from attnref.costs import cells

n, devices = 16_384, 4
tile_side = 64
side = n // tile_side
needed = side * (side + 1) // 2  # on the diagonal and below
print(side**2, needed, f"{needed / side**2:.3f}")

total = cells(n, n, causal=True)


def work(queries):
    return sum(i + 1 for i in queries)  # query i sees i + 1 keys


part = n // devices
blocks = [
    work(range(d * part, d * part + part)) for d in range(devices)
]
stripes = [work(range(d, n, devices)) for d in range(devices)]
assert sum(blocks) == sum(stripes) == total
share = {
    "blocks": [w / total for w in blocks],
    "stripes": [w / total for w in stripes],
}
for name, parts in share.items():
    print(name, [f"{x:.4f}" for x in parts])
