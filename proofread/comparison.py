"""Compares printed numbers with computed ones, in order, and says what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from proofread.marks import Edit, Finding
from proofread.reading.claims import Claim
from proofread.reading.literals import Literal, reprint
from proofread.reading.spans import Numeral
from proofread.running.outcome import Answer
from proofread.values import Value, compare


@dataclass
class Case:
    """A claim while it is judged."""

    claim: Claim
    answer: Answer
    findings: list[Finding] = field(default_factory=list)

    def add(self, rule: str, message: str, at: int | None = None, edit: Edit | None = None) -> None:
        self.findings.append(Finding(self.claim.start if at is None else at, rule, message, edit))


def compare_all(
    case: Case,
    numerals: Sequence[Numeral],
    literals: Sequence[Literal],
    values: Sequence[Value],
    of: str,
) -> None:
    """Printed numbers against values, one by one; a single number may speak for a whole array."""
    if not numerals:
        case.add("count", "proves nothing: every number before it has a claim already")
    elif len(numerals) == 1 and values:
        for value in values:
            compare_one(case, literals[0], value, numerals[0])
            if case.findings:
                return
    elif len(numerals) != len(values):
        printed = ", ".join(literal.text + literal.unit for literal in literals)
        case.add(
            "count",
            f"{of} has {len(numerals)} numbers ({printed}), "
            f"{case.claim.source} gives {len(values)}",
        )
    else:
        for numeral, literal, value in zip(numerals, literals, values, strict=True):
            compare_one(case, literal, value, numeral)


def compare_one(case: Case, literal: Literal, value: Value, numeral: Numeral) -> None:
    verdict = compare(literal, value)
    if verdict == "same":
        return
    shown, at = literal.text + literal.unit, f"({value.source} = {value})"
    if verdict == "tie":
        case.add(
            "tie", f"{shown} {at} sits on a rounding boundary: print one more digit", numeral.start
        )
        return
    wanted = reprint(literal, value.number)
    if wanted == literal.text:  # an exact number that is right only when rounded
        wanted = None
    if numeral.place == "formula" and wanted:
        wanted = _digits(literal, wanted)
    edit = Edit(*numeral.digits, wanted) if wanted else None
    code = (wanted or str(replace(value, number=value.number / literal.scale))) + literal.unit
    message = f"page says {shown}, code says {code} {at}"
    if literal.value is None:
        message = f"{shown} asks for {code} {at}"
    case.add("stale", message, numeral.start, edit)


def _digits(literal: Literal, wanted: str) -> str | None:
    """What to print for a number of a formula, where a minus is an operator before the digits."""
    digits = wanted.lstrip("-−")
    if literal.value is None or (literal.value < 0) == (digits != wanted):
        return digits
    return None if literal.value < 0 else f"-{digits}"  # None: the operator would have to go
