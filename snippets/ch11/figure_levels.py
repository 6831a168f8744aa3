"""Figure: where the scores are, naive and tiled, as an SVG."""


def figure_levels():
    side, pitch, top = 88, 262, 30

    def text(words, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    def rect(kind, x, y, w, h, tint=0.3):
        return (
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" '
            f'fill-opacity="{tint}" stroke="currentcolor"/>'
        )

    def frame(x, y, w, h):
        return (
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="4" '
            'style="fill:none;stroke:var(--ink-3)"/>'
        )

    def arrow(x, y, up):
        head = -6 if up else 6
        return (
            f'<path d="M{x:g} {y:g}v{6 * head}m-4 {-head}l4 {head}l4 {-head}" '
            'style="fill:none;stroke:var(--ink-2)" stroke-width="1.5"/>'
        )

    parts = []
    ways = (
        (
            "naive",
            ("read 𝑄, 𝐾, 𝑉,", "scores, weights"),
            ("write scores,", "weights, 𝑂"),
        ),
        (
            "tiled",
            ("𝐾, 𝑉 again for", "each tile of 𝑄"),
            ("write", "𝑂, lse"),
        ),
    )
    for c, (title, up, down) in enumerate(ways):
        x = 2 + c * pitch
        high, low = top, top + 112  # the chip above, the memory below
        parts += [
            text(title, x + 118, 18, "name"),
            frame(x + 46, high, 144, 74),
            text("chip", x + 56, high + 18, "", "start"),
            frame(x, low, 236, 140),
            text("memory", x + 10, low + 18, "", "start"),
            arrow(x + 116, low - 2, True),
            arrow(x + 150, high + 76, False),
            *(
                text(words, x + 109, high + 90 + 15 * i, "", "end")
                for i, words in enumerate(up)
            ),
            *(
                text(words, x + 157, high + 90 + 15 * i, "", "start")
                for i, words in enumerate(down)
            ),
        ]
        for i, (kind, letter) in enumerate(
            (("c-q", "𝑄"), ("c-k", "𝐾"), ("c-v", "𝑉"), ("c-o", "𝑂"))
        ):
            at = x + 10 + i * 27 + (0 if c == 0 else i * 20)
            parts += [
                rect(kind, at, low + 30, 16, side),
                text(letter, at + 8, low + 134, kind),
            ]
        if c == 0:
            parts += [
                rect("c-s", x + 122, low + 30, 46, side),
                text("scores", x + 145, low + 134, "c-s"),
                rect("c-a", x + 180, low + 30, 46, side),
                text("weights", x + 203, low + 134, "c-a"),
                text("one operation", x + 118, high + 42),
                text("at a time", x + 118, high + 60),
            ]
        else:
            parts += [
                rect("c-q", x + 10, low + 74, 16, 20, 1),
                rect("c-k", x + 57, low + 52, 16, 16, 1),
                rect("c-v", x + 104, low + 52, 16, 16, 1),
                rect("c-o", x + 151, low + 74, 16, 20, 1),
                rect("c-q", x + 72, high + 36, 16, 20, 1),
                rect("c-k", x + 98, high + 14, 16, 16, 1),
                rect("c-s", x + 98, high + 36, 16, 20, 0.3),
                rect("c-v", x + 124, high + 38, 16, 16, 1),
                rect("c-o", x + 166, high + 36, 16, 20, 1),
                text("𝑄", x + 68, high + 51, "c-q", "end"),
                text("𝐾", x + 118, high + 27, "c-k", "start"),
                text("𝑉", x + 143, high + 51, "c-v", "start"),
                text("𝑂", x + 174, high + 70, "c-o"),
                text("scores", x + 106, high + 70, "c-s"),
                text("𝑚, ℓ", x + 172, high + 26),
                rect("", x + 205, low + 30, 4, side),
                text("lse", x + 207, low + 134),
            ]
    return "\n".join(
        [
            '<svg class="plot" viewBox="0 0 502 284" role="img" aria-labelledby="levels-title">',
            '<title id="levels-title">Naive: the memory holds queries, keys, values, outputs, and '
            "two square grids of scores and weights. Tiled: the memory holds no grid but one number "
            "a row; a small tile of scores is on the chip</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_levels())
