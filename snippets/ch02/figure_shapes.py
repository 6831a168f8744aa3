"""Figure: the five matrices of a head, each product where its factors meet, as an SVG."""


def figure_shapes():
    L, S, D, Dv = 5, 7, 4, 8
    cell, gap, left, top = 19, 36, 34, 44
    x1 = left + D * cell + gap  # where keys and weights begin
    x2 = x1 + S * cell + gap  # where values and outputs begin
    middle = top + S * cell  # where keys and values end
    below = middle + gap  # where queries, weights and outputs begin

    def box(kind, letter, x, y, rows, columns):
        """A matrix with its cells, its letter and its shape."""
        width, height = columns * cell, rows * cell
        lines = [
            f"M{x + c * cell} {y}v{height}" for c in range(1, columns)
        ]
        lines += [
            f"M{x} {y + r * cell}h{width}" for r in range(1, rows)
        ]
        frame = f'x="{x}" y="{y}" width="{width}" height="{height}"'
        return [
            f'<g class="c-{kind}">',
            f'<rect {frame} class="c-{kind}" fill-opacity=".1"/>',
            f'<path d="{"".join(lines)}" stroke="currentcolor" stroke-opacity=".22"/>',
            f'<rect {frame} style="fill:none" stroke="currentcolor" stroke-width="1.5"/>',
            "</g>",
            words(
                letter,
                x + width / 2,
                y + height / 2 + 1,
                f"c-{kind} name",
            ),
            words(
                f"{rows} × {columns}",
                x + width / 2,
                y + height / 2 + 19,
            ),
        ]

    def words(text, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'

    def side(letter, sub, x, y):
        """What a side is called, outside it."""
        sub = f'<tspan class="sub" dy="4">{sub}</tspan>' if sub else ""
        return words(letter + sub, x, y)

    keys = middle - D * cell
    parts = [
        *box("q", "𝑄", left, below, L, D),
        *box("k", "𝐾ᵀ", x1, keys, D, S),
        *box("v", "𝑉", x2, top, S, Dv),
        *box("a", "𝐴", x1, below, L, S),
        *box("o", "𝑂", x2, below, L, Dv),
        side("𝐿", "", left - 14, below + L * cell / 2 + 5),
        side("𝑑", "ℎ", left + D * cell / 2, below - 10),
        side("𝑑", "ℎ", x1 - 16, keys + D * cell / 2 + 5),
        side("𝑆", "", x1 + S * cell / 2, keys - 10),
        side("𝑆", "", x1 + S * cell / 2, below - 12),
        side("𝑆", "", x2 - 14, top + S * cell / 2 + 5),
        side("𝑑", "𝑣", x2 + Dv * cell / 2, top - 10),
        side("𝐿", "", x1 - 14, below + L * cell / 2 + 5),
        side("𝐿", "", x2 - 14, below + L * cell / 2 + 5),
        side("𝑑", "𝑣", x2 + Dv * cell / 2, below - 12),
    ]
    width, height = x2 + Dv * cell + 4, below + L * cell + 4
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="shapes-title">',
            '<title id="shapes-title">Queries and transposed keys meet in the weights, weights '
            "and values meet in the outputs; equal letters mark equal sides</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_shapes())
