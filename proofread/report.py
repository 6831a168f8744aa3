"""Says what was found: marks for people, rows for programs, the story of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from typer import style

from proofread.marks import Finding
from proofread.page import kind
from proofread.proof import Proof
from proofread.reading.claims import Claim
from proofread.running.outcome import Answer


def text(proof: Proof, finding: Finding) -> str:
    """One mark: where, what, and how to put it right."""
    head, *rest = proof.report(finding).split("\n")
    place, _, told = head.partition(": ")
    lines = [f"{style(place, bold=True)}: {told}", *(style(row, dim=True) for row in rest)]
    return "\n".join(lines)


def as_json(proof: Proof, finding: Finding) -> str:
    page, edit = proof.page, finding.edit
    told = {
        "file": page.path,
        "line": page.line(finding.offset),
        "column": page.column(finding.offset),
        "rule": finding.rule,
        "message": finding.message,
        "fix": {"old": page.source[edit.start : edit.end], "new": edit.text} if edit else None,
        "perhaps": proof.outcome.hints.get(finding.offset, []),
    }
    return json.dumps(told, ensure_ascii=False)


def mended(proof: Proof) -> str:
    """The page with every edit made that needs no person."""
    source = proof.page.source
    edits = {finding.edit for finding in proof.findings if finding.edit}
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


def diff_line(row: str) -> str:
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(row[0])
    return style(row, fg=colour) if colour and row[:3] not in ("+++", "---") else row


def rows(proof: Proof) -> list[dict[str, Any]]:
    """One row for each number of a page, as `list --json` prints them."""
    page, found = proof.page, []
    numbers = {id(claim): number for number, claim in enumerate(page.claims)}
    for numeral in page.numerals:
        claim = numeral.claim
        row: dict[str, Any] = {
            "file": page.path,
            "line": page.line(numeral.start),
            "column": page.column(numeral.start),
            "literal": " ".join(page.source[numeral.start : numeral.end].split()),
            "kind": kind(numeral),
            "expression": claim.source if claim else None,
            "value": None,
        }
        if claim and claim.kind == "computed":
            answer = proof.outcome.answers.get(numbers[id(claim)])
            if answer and len(answer.values) == len(claim.numerals):
                row["value"] = str(answer.values[claim.numerals.index(numeral)])
            elif answer and answer.values:
                row["value"] = [str(value) for value in answer.values]
        if numeral.rule and not claim:
            row["rule"] = numeral.rule
        found.append(row)
    return found


def row_text(row: dict[str, Any]) -> str:
    where = f"{row['file']}:{row['line']}:{row['column']}"
    why = row["expression"] or row.get("rule", "")
    return f"{where:40} {row['literal']:>16}  {row['kind']:10}  {why}"


def story(proof: Proof) -> Iterator[str]:
    """What each block printed, and below it what the claims on its names come to."""
    page = proof.page
    for n, (code, ran) in enumerate(zip(page.blocks_run, proof.outcome.runs, strict=False)):
        place = f"{page.path}:{page.line(code.start)}"
        origin = f" · {code.path}" + (f":{code.section}" if code.section else "")
        device = f" · {ran.device}" if ran.device else ""
        yield style(f"block {n + 1} · {place}{origin if code.included else ''}{device}", bold=True)
        for shown, dim in ((ran.output, False), (ran.warned, True)):
            if shown:
                rows = "\n".join("    " + row for row in shown.rstrip("\n").split("\n"))
                yield style(rows, dim=True) if dim else rows
        yield from _claims(proof, n)
    yield from _claims(proof, -1)


def _claims(proof: Proof, block: int) -> Iterator[str]:
    for number, claim in enumerate(proof.page.claims):
        answer = proof.outcome.answers.get(number, Answer())
        if claim.kind == "computed" and answer.block == block and number in proof.outcome.answers:
            line = proof.page.line(claim.start)
            yield f"  line {line}: {says(claim)}  {style(claim.source, dim=True)}  {value(answer)}"


def says(claim: Claim) -> str:
    """What the page prints where a claim stands."""
    if claim.text:
        return claim.text
    if claim.piece and claim.scope == "math":
        return " ".join(claim.piece.text.split())
    return ", ".join(n.literal.text + n.literal.unit for n in claim.numerals)


def value(answer: Answer) -> str:
    """What code says, in one line."""
    if answer.error:
        return answer.error
    if answer.recorded:
        return "(not known here)"
    values = answer.values or answer.operands
    shown = ", ".join(map(str, values[:8])) + (", …" if len(values) > 8 else "")
    return answer.text or (f"[{shown}]" if len(values) > 1 else shown)
