"""Figure: a causal mask with fewer queries than keys, aligned both ways, as an SVG."""

from attnref import masks


def figure_alignment():
    L, S, cell, pitch, left, top = 3, 8, 25, 252, 34, 34
    sides = {
        "top-left": masks.causal(S)[:L],
        "bottom-right": masks.causal(L, S),
    }

    def text(words, x, y, kind="", anchor="middle"):
        return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    def name(letter, number, x, y):
        """A symbol with its index."""
        italic = chr(ord("𝑎") + ord(letter) - ord("a"))
        symbol = f'{italic}<tspan class="sub" dy="4">{number}</tspan>'
        return text(symbol, x, y, f"c-{letter}")

    parts = []
    for c, (title, mask) in enumerate(sides.items()):
        x0 = left + c * pitch
        for i in range(L):
            y = top + i * cell
            parts.append(name("q", i + 1, x0 - 16, y + 17))
            for j in range(S):
                parts.append(
                    f'<rect class="c-a" x="{x0 + j * cell}" y="{y}" width="{cell}" '
                    f'height="{cell}" fill-opacity="{0.62 if mask[i, j] else 0}" '
                    'stroke="var(--ink-3)" stroke-width=".7"/>'
                )
                if not mask[i, j]:
                    struck = (
                        f"M{x0 + j * cell} {y + cell}l{cell} -{cell}"
                    )
                    parts.append(
                        f'<path d="{struck}" style="stroke:var(--ink-3)" stroke-width=".7"/>'
                    )
        for j in range(S):
            x = x0 + (j + 0.5) * cell
            parts.append(name("k", j + 1, x, top - 11))
        under = top + L * cell + 22
        parts.append(text(title, x0 + S * cell / 2, under))
    width, height = left + pitch + S * cell + 2, top + L * cell + 28
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="alignment-title">',
            '<title id="alignment-title">The same staircase twice in a wide grid: beginning at the',
            "first key on the left, ending at the last key on the right</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_alignment())
