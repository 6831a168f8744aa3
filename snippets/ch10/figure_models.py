"""Figure: the bytes that published models keep for each token, as an SVG."""

import json
from math import log2
from pathlib import Path

import attnref


def figure_models():
    book = Path(attnref.__file__).parents[1]
    models = json.loads(
        (book / "docs/reference/models.json").read_text()
    )
    left, right, top, row = 126, 400, 34, 27
    low, high = 14, 23  # 16 KiB and 8 MiB, as powers of 2

    def numbers(m):
        """What a token leaves in one layer."""
        if m["kv_heads"] is None:
            return m["latent_width"] + m["rope_width"]
        return 2 * m["kv_heads"] * m["head_width"]

    def kind(m):
        if m["kv_heads"] is None:
            return "MLA"
        several = "MHA" if m["kv_heads"] == m["query_heads"] else "GQA"
        return "MQA" if m["kv_heads"] == 1 else several

    def size(power):
        if power < 20:
            return f"{2 ** (power - 10)} KiB"
        return f"{2 ** (power - 20)} MiB"

    def x(kept):
        return left + (right - left) * (log2(kept) - low) / (high - low)

    def text(words, x, y, style="", anchor="middle"):
        return f'<text class="{style}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    rows = [(2 * m["layers"] * numbers(m), m) for m in models]
    rows.sort(key=lambda pair: -pair[0])
    bottom = top + row * len(rows)
    parts = []
    for power in range(low, high + 1, 3):
        at = x(2**power)
        parts += [
            f'<path class="rule" d="M{at:g} {top - 6}V{bottom}"/>',
            text(size(power), at, top - 14),
        ]
    for i, (kept, m) in enumerate(rows):
        y, at = top + row * (i + 0.5), x(kept)
        parts += [
            text(m["name"], left - 12, y + 5, anchor="end"),
            f'<path class="rule" d="M{left} {y:g}H{at:.1f}"/>',
            f'<circle fill="currentColor" cx="{at:.1f}" cy="{y:g}" r="5"/>',
            text(kind(m), at + 10, y + 5, anchor="start"),
        ]
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {right + 44} {bottom + 4}" role="img" '
            'aria-labelledby="models-title">',
            '<title id="models-title">Bytes a token, on a logarithmic scale: multi-head models keep',
            "most, grouped and latent ones far less, and multi-query models least for their size</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_models())
