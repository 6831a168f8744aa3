"""What each step computes, with keys and values kept or not."""

from attnref.costs import cells

prompt, steps = 4, 3
lengths = [prompt + s for s in range(steps + 1)]  # S, step by step
asks = {"again": lengths, "kept": [prompt] + [1] * steps}  # L
grid = {
    how: [cells(L, S, causal=True) for L, S in zip(queries, lengths)]
    for how, queries in asks.items()
}
total = {how: sum(counts) for how, counts in grid.items()}
whole = cells(prompt + steps, prompt + steps, causal=True)
print("keys", lengths)
for how in grid:
    print(how, asks[how], grid[how], total[how])
print("the whole text in one pass:", whole)
