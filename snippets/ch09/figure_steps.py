"""Figure: one causal grid, filled in one pass or row by row, as an SVG."""


def figure_steps():
    prompt, steps, cell, pitch, left, top = 4, 3, 26, 262, 36, 12
    n = prompt + steps

    def text(words, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    def name(letter, number, x, y):
        italic = chr(ord("𝑎") + ord(letter) - ord("a"))
        symbol = f'{italic}<tspan class="sub" dy="4">{number}</tspan>'
        return text(symbol, x, y, f"c-{letter}")

    parts = []
    for c, title in enumerate(("training", "prefill, then decoding")):
        x0 = left + c * pitch
        for i in range(n):
            y = top + i * cell
            parts.append(name("q", i + 1, x0 - 17, y + 18))
            step = 0 if c == 0 else max(0, i + 1 - prompt)
            for j in range(n):
                seen = j <= i
                tint = (0.62 if step == 0 else 0.26) if seen else 0
                x = x0 + j * cell
                parts.append(
                    f'<rect class="c-a" x="{x}" y="{y}" width="{cell}" height="{cell}" '
                    f'fill-opacity="{tint}" stroke="var(--ink-3)" stroke-width=".7"/>'
                )
            if c and (step or not i):
                what = f"step {step}" if step else "prefill"
                at = x0 + n * cell + 10
                parts.append(text(what, at, y + 18, "", "start"))
            if step:
                parts.append(
                    f'<rect x="{x0}" y="{y}" width="{(i + 1) * cell}" height="{cell}" '
                    'style="fill:none;stroke:var(--ink)" stroke-width="1.6"/>'
                )
        rows = n if c == 0 else prompt
        stairs = "".join(f"h{cell}v{cell}" for _ in range(rows))
        parts.append(
            f'<path d="M{x0} {top}{stairs}h-{rows * cell}z" '
            'style="fill:none;stroke:var(--ink)" stroke-width="1.6"/>'
        )
        for j in range(n):
            x = x0 + (j + 0.5) * cell
            parts.append(name("k", j + 1, x, top + n * cell + 19))
        parts.append(
            text(title, x0 + n * cell / 2, top + n * cell + 44)
        )
    width, height = left + pitch + n * cell + 66, top + n * cell + 50
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="steps-title">',
            '<title id="steps-title">The same lower triangle twice: outlined as a whole, and cut into '
            "a triangle of prompt rows and single rows below it, named after their steps</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_steps())
