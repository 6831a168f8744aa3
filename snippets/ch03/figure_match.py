"""Figure: what the induction head compares, as an SVG."""


def figure_match():
    words = ["⟨s⟩", "low", "tide", "then", "low"]
    previous = [words[0], *words]  # layer 1: the first finds itself
    last, wide, gap = len(words) - 1, 84, 12
    # the head looks for the word before, not for the word itself
    match = max(j for j in range(1, last) if previous[j] == words[last])

    def left(j):
        return 60 + j * (wide + gap)

    def text(words, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    def cell(j, y, words, kind, on):
        x, tone = left(j), f"c-{kind}" if on else ""
        line = "currentcolor" if on else "var(--line)"
        box = (
            f'<rect x="{x}" y="{y}" width="{wide}" height="32" rx="3" style="fill:none;'
            f'stroke:{line};stroke-width:{2 if on else 1}"/>'
        )
        return f'<g class="{tone}">{box}{text(words, x + wide / 2, y + 21, tone)}</g>'

    parts = [
        text("word", 52, 41, anchor="end"),
        text("before", 52, 133, anchor="end"),
    ]
    for j, word in enumerate(words):
        parts.append(
            cell(
                j,
                20,
                word,
                "q" if j == last else "v",
                j in (last, match),
            )
        )
        parts.append(cell(j, 112, previous[j], "k", j == match))
    x1, x2 = left(last) + wide / 2, left(match) + wide / 2
    parts.append(
        f'<path class="c-s" style="fill:none;stroke:currentcolor;stroke-width:2" '
        f'd="M{x1:g} 52C{x1:g} 84 {x2:g} 80 {x2:g} 112"/>'
    )
    parts.append(text("match", (x1 + x2) / 2, 87, "c-s"))
    return "\n".join(
        [
            '<svg class="plot" viewBox="0 0 536 150" role="img" aria-labelledby="match-title">',
            '<title id="match-title">Each token as two boxes, its word above the word before it.',
            "A line joins the last word to the equal word in the lower box of an earlier token",
            "</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_match())
