"""Figure: every family of masks on the same grid, as an SVG."""

import numpy as np

from attnref import masks


def figure_families():
    n, w, cell = 6, 3, 17
    ids = np.array([0, 0, 0, 0, 1, 1])
    causal, window = masks.causal(n), masks.window(n, n, w - 1, 0)
    padding = np.broadcast_to(np.arange(n) < 4, (n, n))
    rows = [
        [
            ("causal", causal),
            ("padding", padding),
            ("document", masks.document(ids, ids)),
        ],
        [
            ("window", window),
            ("global + window", window | causal & (np.arange(n) == 0)),
        ],
    ]
    says = ["correctness", "cost"]

    def text(words, x, y, anchor="middle"):
        return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'

    def grid(mask, x, y):
        """The allowed cells filled, the hidden ones struck out."""
        size = n * cell
        filled = "".join(
            f"M{x + j * cell} {y + i * cell}h{cell}v{cell}h-{cell}z"
            for i in range(n)
            for j in range(n)
            if mask[i, j]
        )
        struck = "".join(
            f"M{x + j * cell} {y + i * cell + cell}l{cell} -{cell}"
            for i in range(n)
            for j in range(n)
            if not mask[i, j]
        )
        lines = "".join(
            f"M{x + c * cell} {y}v{size}M{x} {y + c * cell}h{size}"
            for c in range(n + 1)
        )
        return [
            f'<path class="c-a" fill-opacity=".62" d="{filled}"/>',
            f'<path d="{struck}{lines}" style="fill:none;stroke:var(--ink-3)" stroke-width=".7"/>',
        ]

    parts = []
    for r, row in enumerate(rows):
        top = 8 + r * (n * cell + 48)
        middle = top + n * cell / 2 + 5
        parts.append(text(says[r], 0, middle, anchor="start"))
        for c, (name, mask) in enumerate(row):
            left = 96 + c * (n * cell + 36)
            parts += grid(mask, left, top)
            label = f"{name}, {mask.sum()}"
            parts.append(
                text(label, left + n * cell / 2, top + n * cell + 20)
            )
    width, height = 96 + 3 * n * cell + 72 + 2, 2 * (n * cell + 48)
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="families-title">',
            '<title id="families-title">Grids of queries and keys, the allowed cells filled:',
            "a triangle, columns, blocks on the diagonal; a band, and a band with a column",
            "</title>",
            *parts,
            "</svg>",
        ]
    )


print(figure_families())
