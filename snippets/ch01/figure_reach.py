"""Figure: a score is the reach of the query along the key, times the length of the key."""

from math import hypot


def figure_reach():
    q, unit, ground = (1, 1), 68, 128
    panels = [  # a key, where its origin stands, what to call it, where
        ((1, 0), 46, "the first key", 80),
        ((2, 0), 172, "stretched", 244),
        ((-1, 0.5), 424, "turned away", 420),
    ]

    def number(x):
        digits = next(n for n in range(5) if n == 4 or x == round(x, n))
        return f"{x:.{digits}f}".replace("-", "−")

    def text(words, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    def arrow(kind, start, end, width, head):
        """A shaft with a head whose tip is the end."""
        (x1, y1), (x2, y2) = start, end
        size = hypot(x2 - x1, y2 - y1)
        ux, uy = (x2 - x1) / size, (y2 - y1) / size
        bx, by, half = x2 - ux * head, y2 - uy * head, head * 0.4
        return (
            f'<path class="c-{kind}" stroke="currentColor" stroke-width="{width}" '
            f'd="M{x1:.1f} {y1:.1f}L{bx:.1f} {by:.1f}"/>'
            f'<path class="c-{kind}" d="M{bx - uy * half:.1f} {by + ux * half:.1f}'
            f'L{x2:.1f} {y2:.1f}L{bx + uy * half:.1f} {by - ux * half:.1f}Z"/>'
        )

    parts = []
    for k, origin, words, middle in panels:

        def at(point, origin=origin):
            return origin + unit * point[0], ground - unit * point[1]

        score = q[0] * k[0] + q[1] * k[1]
        length = hypot(*k)
        reach = score / length
        foot = [reach / length * x for x in k]  # of the perpendicular
        (x0, y0), (fx, fy), (qx, qy) = at((0, 0)), at(foot), at(q)
        parts += [
            f'<path class="c-s" stroke="currentColor" stroke-width="11" opacity="0.3" '
            f'd="M{x0:.1f} {y0:.1f}L{fx:.1f} {fy:.1f}"/>',
            f'<path class="c-s" stroke="currentColor" stroke-dasharray="3 3" '
            f'd="M{qx:.1f} {qy:.1f}L{fx:.1f} {fy:.1f}"/>',
            arrow("q", (x0, y0), (qx, qy), 4, 15),
            arrow("k", (x0, y0), at(k), 2, 11),
            text("𝑞", qx + 12, qy + 4, "c-q name"),
        ]
        (kx, ky), side = at(k), 1 if k[0] > 0 else -1
        parts.append(text("𝑘", kx + 14 * side, ky + 6, "c-k name"))
        parts.append(text(words, middle, 24))
        for row, (name, value, kind) in enumerate(
            [
                ("reach", reach, "s"),
                ("× length", length, "k"),
                ("score", score, "s"),
            ]
        ):
            y = ground + 52 + 22 * row + (6 if name == "score" else 0)
            parts.append(text(name, middle - 4, y, "", "end"))
            parts.append(
                text(number(value), middle + 4, y, f"c-{kind}", "start")
            )
        line = ground + 80
        parts.append(
            f'<path class="rule" d="M{middle - 48:.1f} {line}H{middle + 54:.1f}"/>'
        )
    return "\n".join(
        [
            '<svg class="plot" viewBox="0 0 520 240" role="img" aria-labelledby="reach-title">',
            '<title id="reach-title">The same query with three keys: its reach along each,',
            "times the length of the key, is the score</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_reach())
