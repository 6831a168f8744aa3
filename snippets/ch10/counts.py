"""What a text costs to write, with a cache and without."""

from attnref.costs import cells

projected, scores = {}, {}
for n in (3, 1000):
    steps = range(1, n + 1)  # step t has t tokens
    projected[n] = n, sum(steps)  # with a cache, and without
    scores[n] = (
        sum(cells(1, t) for t in steps),
        sum(cells(t, t, causal=True) for t in steps),
    )
    print(n, "tokens")
    print("  projected {:>11,} {:>13,}".format(*projected[n]))
    print("  scores    {:>11,} {:>13,}".format(*scores[n]))
