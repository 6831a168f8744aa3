"""Figure: the third output inside the triangle of its values, as an SVG."""

from math import exp, sqrt


def figure_mix():
    V = [(1, 0), (0, 2), (3, 1)]
    e = [exp(score / sqrt(2)) for score in (1, 1, 2)]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[c] for w, v in zip(weights, V)) for c in (0, 1)]

    def at(point):
        """Pixels of a point of the plane."""
        x, y = point
        return round(40 + 116 * x, 1), round(266 - 116 * y, 1)

    def text(words, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    def name(letter, number, point, right, down):
        """A symbol with its index, beside a point."""
        italic = chr(ord("𝑎") + ord(letter) - ord("a"))
        symbol = f'{italic}<tspan class="sub" dy="5">{number}</tspan>'
        x, y = at(point)
        return text(
            symbol, x + right, y + down, f"c-{letter} name", "start"
        )

    def dot(kind, point, radius):
        x, y = at(point)
        return f'<circle class="c-{kind}" cx="{x:g}" cy="{y:g}" r="{radius}"/>'

    parts = ['<path class="rule" d="M40 266H412M40 266V16"/>']
    for tick in range(4):
        x, y = at((tick, 0))
        parts += [
            f'<path class="rule" d="M{x:g} {y:g}v5"/>',
            text(tick, x, y + 22),
        ]
    for tick in range(3):
        x, y = at((0, tick))
        parts += [
            f'<path class="rule" d="M{x:g} {y:g}h-5"/>',
            text(tick, x - 12, y + 5, anchor="end"),
        ]
    corners = "L".join("{:g} {:g}".format(*at(v)) for v in V)
    parts.append(f'<path class="hull" d="M{corners}Z"/>')
    for w, v, (right, down, anchor) in zip(
        weights,
        V,
        [(-10, 5, "end"), (-8, 22, "end"), (0, 24, "middle")],
    ):
        (x1, y1), (x2, y2) = at(output), at(v)
        parts.append(
            f'<path class="ray" stroke-width="{14 * w:.2f}" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>'
        )
        middle = (x1 + x2) / 2 + right, (y1 + y2) / 2 + down
        parts.append(text(f"{w:.4f}", *middle, "c-a", anchor))
    parts += [dot("v", v, 5) for v in V] + [dot("o", output, 6)]
    parts += [
        name("v", 1, V[0], -34, -8),
        name("v", 2, V[1], 12, -2),
        name("v", 3, V[2], 12, 8),
    ]
    parts.append(name("o", 3, output, 8, 26))
    return "\n".join(
        [
            '<svg class="plot" viewBox="0 0 440 292" role="img" aria-labelledby="mix-title">',
            '<title id="mix-title">The triangle of the three values with the third output in it,',
            "joined to each value by a line as wide as its weight</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_mix())
