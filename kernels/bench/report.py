"""A record as text: TFLOP/s by shape and contestant, why the rest is missing, and the goals."""

from statistics import median
from typing import Any

from kernels.bench.contestants import OURS
from kernels.bench.race import TIMED
from kernels.bench.shapes import PASSES


def text(record: dict[str, Any]) -> str:
    """All that a terminal should show of a record."""
    card, product = record["card"], record["matmul"]
    versions = ", ".join(" ".join(pair) for pair in record["versions"].items())
    lines = [f"{card['name']}, driver {card['driver'] or 'unknown'}, {versions}"]
    if product:
        lines.append(f"a product of {product['n']}² matrices in bfloat16: {product['tflops']:.0f}")
    for of in PASSES:
        rows = [row for row in record["rows"] if row["of"] == of]
        if rows:
            lines += [
                "",
                f"{of}, TFLOP/s: median (quartiles)",
                *_table(rows, product),
                *_ratios(rows),
            ]
    timed = [row for row in record["launch"] if row["state"] == TIMED]
    if timed:
        lines += ["", "the CPU's time for a small call, µs: median (quartiles)"]
        lines += [
            f"  {row['of']:8}  {row['contestant']:14} "
            + "{1:.0f} ({0:.0f}–{2:.0f})".format(*(1000 * ms for ms in row["ms"]))
            for row in timed
        ]
    if told := missing([*record["rows"], *record["launch"]]):
        lines += ["", "not timed", *(f"  {one}" for one in told)]
    if record["goals"]:
        lines += ["", "goals", *(f"  {goal(one)}" for one in record["goals"])]
    if record["fault"]:
        lines += ["", f"CUT SHORT, nothing more could be run: {record['fault']}"]
    return "\n".join(lines)


def missing(rows: list[dict[str, Any]]) -> list[str]:
    """Who was not timed, why, and where: a line for each reason."""
    where: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for row in rows:
        if row["state"] != TIMED:
            reason = (row["contestant"], row["state"], row["why"])
            where.setdefault(reason, {}).setdefault(row["shape"], []).append(row["of"])
    return [
        f"{who}, {state}: {why} [{_places(places)}]" for (who, state, why), places in where.items()
    ]


def goal(one: dict[str, Any]) -> str:
    """A goal, what was measured, and whether it is met."""
    if one["measured"] is None:
        return f"NOT MEASURED  {one['says']}: goal {one['least']}"
    verdict = "met" if one["met"] else "MISSED"
    return f"{verdict:12}  {one['says']}: {one['measured']:.4g}, goal {one['least']}"


def _places(places: dict[str, list[str]]) -> str:
    if len(places) > 2:
        return f"{len(places)} shapes"
    return "; ".join(f"{shape}: {' and '.join(passes)}" for shape, passes in places.items())


def _table(rows: list[dict[str, Any]], product: dict[str, Any] | None) -> list[str]:
    timed = [row for row in rows if row["state"] == TIMED]
    names = list(dict.fromkeys(row["contestant"] for row in timed))
    cells = {(row["shape"], row["contestant"]): row for row in timed}
    grid = [["", *names, f"{OURS} / product"]]
    for shape in dict.fromkeys(row["shape"] for row in rows):
        found = [cells.get((shape, name)) for name in names]
        mine = cells.get((shape, OURS))
        share = f"{mine['tflops'] / product['tflops']:.0%}" if mine and product else "–"
        grid.append([shape, *map(_cell, found), share])
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return [
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in grid
    ]


def _ratios(rows: list[dict[str, Any]]) -> list[str]:
    """Our speed over that of each other, over all shapes that both ran."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if "ratio" in row and row["contestant"] != OURS:
            found.setdefault(row["contestant"], []).append(row["ratio"])
    return [
        f"  ours over {name}: {median(those):.2f} ({min(those):.2f}–{max(those):.2f})"
        for name, those in found.items()
    ]


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    low, middle, high = row["ms"]
    speed = row["tflops"]
    return f"{speed:.0f} ({speed * middle / high:.0f}–{speed * middle / low:.0f})"
