"""What the scores of one head take when they are stored."""

from attnref.costs import score_bytes

MiB = 2**20
n, width = 16_384, 64  # tokens, numbers in a query
stored = score_bytes(n, n)  # fp16: 2 bytes a number
queries = n * width * 2

print(f"{stored / MiB:g} MiB of scores")
print(f"{queries / MiB:g} MiB of queries")
print(f"{score_bytes(2 * n, 2 * n) / MiB:g} MiB at twice the tokens")
