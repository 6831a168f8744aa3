"""Figure: a query and a key turned by their positions, early in a text and later, as an SVG."""

from math import cos, pi, sin


def figure_turn():
    omega, radius, pitch, left, top = pi / 6, 78, 262, 118, 116
    places = [(2, 1), (7, 6)]

    def text(words, x, y, kind="", style=""):
        return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{style}>{words}</text>'

    def arrow(kind, angle, x, y, wide, dashes=""):
        """From the centre to the circle, its head a triangle."""
        ux, uy = cos(angle), -sin(angle)
        tip = x + radius * ux, y + radius * uy
        neck = tip[0] - 11 * ux, tip[1] - 11 * uy
        ends = [
            (neck[0] - s * 5 * uy, neck[1] + s * 5 * ux)
            for s in (1, -1)
        ]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in (tip, *ends))
        line = (
            f"M{x:.1f} {y:.1f}L{neck[0]:.1f} {neck[1]:.1f}"
            if not dashes
            else f"M{x:.1f} {y:.1f}L{tip[0]:.1f} {tip[1]:.1f}"
        )
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        head = (
            ""
            if dashes
            else f'<polygon points="{points}" fill="currentcolor"/>'
        )
        return (
            f'<g class="{kind}"><path d="{line}" fill="none" stroke="currentcolor" '
            f'stroke-width="{wide}"{dash}/>{head}</g>'
        )

    def label(kind, letter, angle, x, y):
        far = radius + 17
        at = x + far * cos(angle), y - far * sin(angle) + 5
        return text(letter, *at, f"{kind} name")

    halo = ' style="paint-order:stroke;stroke:var(--paper);stroke-width:5px"'
    parts = []
    for c, (i, j) in enumerate(places):
        x, y = left + c * pitch, top
        query, key = i * omega, pi / 2 + j * omega
        parts += [
            f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="var(--line)"/>',
            arrow("c-q", 0, x, y, 1.2, "3 4"),
            arrow("c-k", pi / 2, x, y, 1.2, "3 4"),
            arrow("c-q", query, x, y, 3.4),
            arrow("c-k", key, x, y, 1.6),
            label("c-q", "𝑞", query, x, y),
            label("c-k", "𝑘", key, x, y),
        ]
        near, end = 26, (x + 26 * cos(key), y - 26 * sin(key))
        start = x + near * cos(query), y - near * sin(query)
        middle = (query + key) / 2
        far = 37 + 10 * abs(cos(middle))
        beside = x + far * cos(middle), y - far * sin(middle) + 5
        between = round((key - query) * 180 / pi)
        parts += [
            f'<path class="c-s" d="M{start[0]:.1f} {start[1]:.1f}A{near} {near} 0 0 0 '
            f'{end[0]:.1f} {end[1]:.1f}" style="fill:none" stroke="currentcolor" stroke-width="1.6"/>',
            text(f"{between}°", *beside, "c-s", halo),
            text(f"query at {i}, key at {j}", x, top + radius + 48),
        ]
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {left * 2 + pitch} {top + radius + 56}" role="img" '
            'aria-labelledby="turn-title">',
            '<title id="turn-title">Two circles. In both, query and key have turned away from where '
            "they began, by different amounts, and the angle between them is the same</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_turn())
