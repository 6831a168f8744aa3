"""One row of the running example, read in pieces and never whole."""

from math import exp, inf, sqrt

k = [[1, 0], [0, 1], [1, 1]]
v = [[1, 0], [0, 2], [3, 1]]
q = k[2]  # the third query sees all keys

m, total, acc = -inf, 0.0, [0.0, 0.0]
m_all, sums, shrinks = [], [], []
for tile in ([0, 1], [2]):  # the first keys together, then the last
    z = [sum(a * b for a, b in zip(q, k[j])) / sqrt(2) for j in tile]
    m_new = max(m, *z)
    shrink = exp(m - m_new)  # 0 at the first tile: e^(-inf)
    e = [exp(z_j - m_new) for z_j in z]
    total = total * shrink + sum(e)
    for c in range(2):
        acc[c] = acc[c] * shrink + sum(
            e_j * v[j][c] for e_j, j in zip(e, tile)
        )
    m = m_new
    m_all.append(m), sums.append(total), shrinks.append(shrink)
    print(f"m {m:.4f}  sum {total:.4f}", [round(x, 4) for x in acc])

o = [x / total for x in acc]
print([f"{x:.4f}" for x in o])
