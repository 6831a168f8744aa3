"""The figure on the first page: the worked example as one picture. Area is weight."""

from math import exp, sqrt


def hero():
    Q = K = [(1, 0), (0, 1), (1, 1)]
    V = [(1, 0), (0, 2), (3, 1)]

    def dot(a, b):
        return sum(x * y for x, y in zip(a, b))

    A, O = [], []
    for i, q in enumerate(Q):
        e = [exp(dot(q, k) / sqrt(2)) for k in K[: i + 1]]
        A.append([x / sum(e) for x in e])
        O.append([dot(A[i], column) for column in zip(*V[: i + 1])])

    def text(words, x, y, kind):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="middle">{words}</text>'

    def vector(letter, number, row, x, y):
        """A symbol with its index, and below it the numbers of its vector."""
        italic = chr(ord("𝑎") + ord(letter) - ord("a"))
        symbol = f'{italic}<tspan class="sub" dy="5">{number}</tspan>'
        numbers = ", ".join(
            f"{value:.4f}" if letter == "o" else f"{value}"
            for value in row
        )
        kind = f"c-{letter}"
        return text(symbol, x, y, f"{kind} name") + text(
            numbers, x, y + 22, f"{kind} num"
        )

    columns, rows = [104, 200, 296], [92, 180, 268]
    parts = []
    for x, y in zip(columns, rows):
        parts.append(f'<path class="rule" d="M{x} 58V318M50 {y}H350"/>')
    for n, (x, y) in enumerate(zip(columns, rows)):
        parts += [
            vector("k", n + 1, K[n], x, 24),
            vector("q", n + 1, Q[n], 28, y - 2),
        ]
        parts += [
            vector("v", n + 1, V[n], x, 342),
            vector("o", n + 1, O[n], 404, y - 2),
        ]
    for i, y in enumerate(rows):
        for j, x in enumerate(columns):
            if j > i:
                parts.append(
                    f'<circle class="hidden" cx="{x}" cy="{y}" r="5"/>'
                )
                continue
            radius = 36 * sqrt(A[i][j])
            parts.append(
                f'<circle class="c-a" cx="{x}" cy="{y}" r="{radius:.1f}"/>'
            )
            inside = radius > 22
            below = round(y + (5 if inside else radius + 16))
            parts.append(
                text(
                    f"{A[i][j]:.4f}",
                    x,
                    below,
                    "on" if inside else "c-a",
                )
            )
    return "\n".join(
        [
            '<svg class="plot" viewBox="0 0 460 372" role="img" aria-labelledby="hero-title">',
            '<title id="hero-title">Three queries, three keys and the weights between them:',
            "the worked example of chapter 7</title>",
            *parts,
            "</svg>",
        ]
    )


print(hero())
