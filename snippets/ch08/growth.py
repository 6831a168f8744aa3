"""What a longer text does to the grid: its cells, and what they weigh."""

from attnref.costs import cells, score_bytes

MiB, GiB = 2**20, 2**30
H = 32
counted, one, all_heads = {}, {}, {}
for n in (2**13, 2**14, 2**15):
    counted[n] = cells(n, n)
    one[n] = score_bytes(n, n)  # fp16: 2 bytes a cell
    all_heads[n] = score_bytes(n, n, Hq=H)
    sizes = f"{one[n] / MiB:5g} MiB {all_heads[n] / GiB:3g} GiB"
    print(f"{n:6,} {counted[n]:13,} {sizes}")
