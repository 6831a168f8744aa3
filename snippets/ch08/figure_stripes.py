"""Figure: a product with the heads side by side is a sum over heads, as an SVG."""


def figure_stripes():
    H, n, D = 3, 5, 4
    cell, wide, row = 9, H * D * 9, 74
    tints = (0.5, 0.27, 0.08)  # one a head

    def words(text, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'

    def name(letter, up, down=""):
        """A letter with the head above it, and perhaps an index below."""
        low = (
            f'<tspan class="sub" dy="4">{down}</tspan>' if down else ""
        )
        back = -11 if down else -7
        high = (
            f'<tspan class="sub" dy="{back}">({up})</tspan>'
            if up
            else ""
        )
        return letter + low + high

    def block(kind, h, x, y, columns, rows):
        """What belongs to one head: a rectangle in the tint of that head."""
        frame = f'x="{x:g}" y="{y:g}" width="{columns * cell}" height="{rows * cell}"'
        paint = f'fill="currentcolor" fill-opacity="{tints[h]}" stroke="currentcolor"'
        return f'<g class="{kind}"><rect {frame} {paint}/></g>'

    top = 34
    middle = top + (row * (H - 1) + n * cell) / 2
    x_w = wide + 26  # where the whole of W_O begins
    x_o = x_w + wide + 62  # where the heads' own outputs begin
    x_s = x_o + D * cell + 26  # and their stripes
    left, high = middle - n * cell / 2, middle - H * D * cell / 2
    parts = []
    for h in range(H):
        y = top + row * h
        parts += [
            block("c-o", h, 2 + h * D * cell, left, D, n),
            block("", h, x_w, high + h * D * cell, H * D, D),
            words(
                str(h + 1),
                x_w + wide / 2,
                high + (h + 0.5) * D * cell + 5,
            ),
            block("c-o", h, x_o, y, D, n),
            block("", h, x_s, y + cell / 2, H * D, D),
            words(
                name("𝑂", h + 1), x_o + D * cell / 2, y - 6, "c-o name"
            ),
            words(name("𝑊", h + 1, "𝑂"), x_s + wide / 2, y - 4, "name"),
            words("·", x_s - 13, y + n * cell / 2 + 5),
        ]
        if h:
            parts.append(words("+", x_o - 13, y + n * cell / 2 + 5))
    parts += [
        words("heads, joined", 2 + wide / 2, left - 8),
        words(name("𝑊", "", "𝑂"), x_w + wide / 2, high - 8, "name"),
        words("·", x_w - 13, middle + 5),
        words("=", x_w + wide + 20, middle + 5),
        f'<path class="rule" d="M{x_o - 24:g} {top}h-6v{row * (H - 1) + n * cell}h6"/>',
        f'<path class="rule" d="M{x_s + wide + 6:g} {top}h6v{row * (H - 1) + n * cell}h-6"/>',
    ]
    width, height = x_s + wide + 14, top + row * (H - 1) + n * cell + 6
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {width:g} {height:g}" role="img" '
            'aria-labelledby="stripes-title">',
            '<title id="stripes-title">The joined heads times the whole matrix, equal to the sum of '
            "each head times its own stripe of rows</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_stripes())
