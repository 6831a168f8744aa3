"""The speed of the kernels: what `python -m kernels.bench --record` wrote, checked, as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from book.rendering import ROOT
from book.speed_record import PASSES, check

FOLDER = ROOT / "docs/reference/kernels-bench"
NOTHING = """\
**Nothing has been measured yet.** There is no record of any card, so this page says nothing about
how fast the kernels are. Who has a GPU can change that: `python -m kernels.bench --record`
measures, and writes a file that this page shows."""

SCROLL = """\
<div class="scroll" tabindex="0" role="region" aria-label="TFLOP/s by shape" markdown>

{}

</div>"""


def listing(folder: Path = FOLDER) -> str:
    """All records, a section for each; or that there is none.

    Raises ValueError that names the file and the place if a record is not what the bench writes.
    """
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return "\n\n".join(section(load(file), file.name) for file in files) or NOTHING


def load(file: Path) -> dict[str, Any]:
    """A record that is whole."""
    name = f"{file.parent.name}/{file.name}"
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{name} is not JSON: {error}") from None
    check(record, name)
    assert isinstance(record, dict)
    return record


def section(record: dict[str, Any], file: str) -> str:
    """One record: where and when, then speeds, goals, small calls, and what is missing."""
    parts = [f"## {record['card']['name']}", _made(record, file)]
    for of in PASSES:
        rows = [row for row in record["rows"] if row["of"] == of]
        if rows:
            parts += [f"### {of.title()}, TFLOP/s", _speeds(rows, record), _ratios(rows)]
    if record["goals"]:
        parts += [
            "### Goals",
            _table(["goal", "at least", "measured", ""], map(_goal, record["goals"])),
        ]
    if timed := [row for row in record["launch"] if row["state"] == "timed"]:
        head = ["pass", "of", "µs"]
        lines = ([row["of"], row["contestant"], _us(row["ms"])] for row in timed)
        told = "What the CPU takes to launch a call that leaves the GPU almost nothing to do."
        parts += ["### A small call", told, _table(head, lines)]
    if others := _missing([*record["rows"], *record["launch"]]):
        parts += ["### Not timed", "\n".join(others)]
    return "\n\n".join(parts)


def _made(record: dict[str, Any], file: str) -> str:
    card, product = record["card"], record["matmul"]
    versions = ", ".join(" ".join(pair) for pair in record["versions"].items())
    changed = {True: "", False: ", with changes that are not in it", None: ""}[record["clean"]]
    commit = f"commit `{record['commit'][:12]}`{changed}" if record["commit"] else "commit unknown"
    driver, dtype, rounds = card["driver"] or "unknown", record["dtype"], record["rounds"]
    lines = [
        f"Recorded on {record['date']}: {card['name']}, {card['memory']} GiB, driver {driver}; "
        f"{versions}; {commit}. All in {dtype}, in {rounds} rounds. "
        f'<a href="../kernels-bench/{file}">The record</a> has all numbers.'
    ]
    if product:
        lines.append(
            f"torch's product of two matrices of {product['n']:,} × {product['n']:,}, in the same "
            f"run, came to {product['tflops']:.0f} TFLOP/s."
        )
    if record["fault"]:
        lines.append(
            f"**The run was cut short**, and this is what it had: {_code(record['fault'])}"
        )
    return "\n\n".join(lines)


def _speeds(rows: list[dict[str, Any]], record: dict[str, Any]) -> str:
    shapes = {shape["name"]: shape for shape in record["shapes"]}
    timed = {(row["shape"], row["contestant"]): row for row in rows if row["state"] == "timed"}
    names = list(dict.fromkeys(name for _, name in timed))
    product = record["matmul"]
    lines = []
    for name in dict.fromkeys(row["shape"] for row in rows):
        shape, ours = shapes[name], timed.get((name, "ours"))
        share = f"{ours['tflops'] / product['tflops']:.0%}" if ours and product else "–"
        heads = f"{shape['B']} × {shape['Hq']}/{shape['Hkv']}"
        lines.append([name, heads, *(_speed(timed.get((name, who))) for who in names), share])
    return SCROLL.format(_table(["shape", "B × heads", *names, "ours / product"], lines))


def _ratios(rows: list[dict[str, Any]]) -> str:
    """Our speed over that of each other: the median, the least and the most of all shapes."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if "ratio" in row and row["contestant"] != "ours":
            found.setdefault(row["contestant"], []).append(row["ratio"])
    return "\n".join(
        f"- Ours over {name}, round by round: {median(those):.2f}, over the shapes from "
        f"{min(those):.2f} to {max(those):.2f}"
        for name, those in found.items()
    )


def _speed(row: dict[str, Any] | None) -> str:
    """The median, and what the quartiles of the time make of it."""
    if row is None:
        return "–"
    low, middle, high = row["ms"]
    speed = row["tflops"]
    return f"{speed:.0f} ({speed * middle / high:.0f}–{speed * middle / low:.0f})"


def _us(ms: list[float]) -> str:
    return "{1:.0f} ({0:.0f}–{2:.0f})".format(*(1000 * x for x in ms))


def _goal(goal: dict[str, Any]) -> list[str]:
    if goal["measured"] is None:
        return [goal["says"], f"{goal['least']:g}", "–", "not measured"]
    verdict = "met" if goal["met"] else "**missed**"
    return [goal["says"], f"{goal['least']:g}", f"{goal['measured']:.4g}", verdict]


def _missing(rows: list[dict[str, Any]]) -> list[str]:
    """A line for each contestant and reason."""
    where: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        if row["state"] != "timed":
            places = where.setdefault((row["contestant"], row["state"], row["why"]), [])
            places.append(f"{row['shape']} {row['of']}")
    return [
        f"- {who}, {state}: {_code(why)} ({places[0] if len(places) == 1 else f'{len(places)} ×'})"
        for (who, state, why), places in where.items()
    ]


def _table(head: list[str], lines: Iterable[list[str]]) -> str:
    rows = [head, [":--", *["--:"] * (len(head) - 1)], *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _code(text: str) -> str:
    """Somebody else's words, in which nothing is markup."""
    return "`" + re.sub(r"\s+", " ", text).replace("`", "'") + "`"
