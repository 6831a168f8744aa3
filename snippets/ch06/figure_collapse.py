"""Figure: the triangle of the values, that of the outputs in it, and that of outputs of outputs."""

from math import exp, sqrt


def figure_collapse():
    tokens = [(1, 0), (0, 1), (1, 1)]
    V = [(1, 0), (0, 2), (3, 1)]

    def weights(q):
        e = [exp((q[0] * k[0] + q[1] * k[1]) / sqrt(2)) for k in tokens]
        return [x / sum(e) for x in e]

    A = [weights(q) for q in tokens]

    def mixed(points):
        return [
            [sum(a * p[c] for a, p in zip(row, points)) for c in (0, 1)]
            for row in A
        ]

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

    def triangle(kind, points, style=""):
        corners = "L".join("{:g} {:g}".format(*at(p)) for p in points)
        return f'<path class="{kind}" {style} d="M{corners}Z"/>'

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
    once = mixed(V)
    line = 'style="fill:none;stroke:currentColor;stroke-width:1.5"'
    parts += [
        triangle("hull", V),
        triangle("c-o", once, line),
        triangle("c-o", mixed(once)),
    ]
    parts += [dot("v", v, 5) for v in V] + [
        dot("o", o, 3.5) for o in once
    ]
    parts += [
        name("v", 1, V[0], -34, -8),
        name("v", 2, V[1], 12, -2),
        name("v", 3, V[2], 12, 8),
        name("o", 1, once[0], -6, 28),
        name("o", 2, once[1], -30, -8),
        name("o", 3, once[2], 10, 6),
    ]
    return "\n".join(
        [
            '<svg class="plot" viewBox="0 0 440 292" role="img" aria-labelledby="collapse-title">',
            '<title id="collapse-title">The triangle of the values; in it, much smaller, that of',
            "the outputs; and in that one a speck, where the outputs were mixed again</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_collapse())
