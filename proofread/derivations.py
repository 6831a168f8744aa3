"""Checks a claimed formula: its sides against code or against each other, and every digit of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite

from proofread.comparison import Case, compare_all, compare_one
from proofread.maths import expressions
from proofread.maths.expressions import Leaf, Name, evaluate
from proofread.maths.formulas import Chain, Formula, Side
from proofread.maths.operations import Result, Symbolic, flat
from proofread.reading.literals import Number
from proofread.reading.spans import Numeral
from proofread.values import Value, compare

ROUNDING = Fraction(1, 10**12)  # relative, of our own arithmetic with sqrt, exp, sin


def check(case: Case, formula: Formula, numerals: Sequence[Numeral]) -> None:
    """Compare, then make sure that no printed digit could change without being noticed."""
    formula = formula.bind(case.answer.bindings)
    _compare(case, formula, numerals)
    if not case.findings:
        _loose(case, formula, numerals)


def sides(formula: Formula, bindings: Mapping[Name, Result]) -> Iterator[list[str]]:
    """What the numeric sides of each chain come to, for a reader."""
    for chain in formula.bind(bindings).chains:
        yield [", ".join(f"{float(n):.10g}" for n in side.values()) for side in chain.numeric]


def _compare(case: Case, formula: Formula, numerals: Sequence[Numeral]) -> None:
    claim = case.claim
    chains = [chain for chain in formula.chains if chain.numeric]
    try:
        if claim.operands:
            compare_all(
                case,
                [numerals[i] for i in formula.operands],
                [formula.literals[i] for i in formula.operands],
                case.answer.operands,
                "the formula, without its results,",
            )
        if claim.value:
            _against_code(case, chains, numerals)
        elif claim.itself:
            _against_itself(case, formula, chains, numerals)
    except (Symbolic, ArithmeticError, ValueError) as error:
        case.add("claim", f"cannot evaluate the formula: {error}")


def _against_code(case: Case, chains: Sequence[Chain], numerals: Sequence[Numeral]) -> None:
    """Every numeric side of a chain has the chain's value; several chains share out the values."""
    values = case.answer.values
    sizes = [len(chain.numeric[-1].values()) for chain in chains]
    if not chains or (len(chains) > 1 and sum(sizes) != len(values)):
        case.add(
            "count",
            f"the formula has {sum(sizes)} results, {case.claim.source} gives {len(values)}",
        )
        return
    rest = iter(values)
    for chain, size in zip(chains, sizes, strict=True):
        part = list(values) if len(chains) == 1 else [next(rest) for _ in range(size)]
        for side in chain.numeric:
            (_plain if side.plain else _worked)(case, side, part, numerals)


def _plain(case: Case, side: Side, values: Sequence[Value], numerals: Sequence[Numeral]) -> None:
    """A number, list or matrix, element by element; infinities have no numeral of their own."""
    assert side.expr is not None
    slots = expressions.slots(side.expr)
    slots = slots * len(values) if len(slots) == 1 else slots
    if len(slots) != len(values):
        case.add(
            "count",
            f"the formula prints {len(slots)} numbers, {case.claim.source} gives {len(values)}",
        )
        return
    for slot, value in zip(slots, values, strict=True):
        if isinstance(slot, Leaf):
            compare_one(case, slot.literal, value, numerals[slot.index])
        elif evaluate(slot) != value.number:
            case.add("stale", f"page says {evaluate(slot)}, code says {value} ({value.source})")


def _worked(case: Case, side: Side, values: Sequence[Value], numerals: Sequence[Numeral]) -> None:
    """An expression of printed numbers: within what the rounding of its operands allows."""
    results, slack = _interval(side)
    if len(results) == 1:
        results, slack = results * len(values), slack * len(values)
    if len(results) != len(values):
        case.add(
            "count",
            f"a side of the formula gives {len(results)} numbers, "
            f"{case.claim.source} gives {len(values)}",
        )
        return
    for result, give, value in zip(results, slack, values, strict=True):
        if not _near(result, value.number, give + Fraction(value.noise)):
            case.add(
                "stale",
                f"its numbers give {float(result):.6g}, code says {value} ({value.source})",
                _place(side, numerals),
            )
            return


def _interval(side: Side) -> tuple[list[Number], list[Fraction]]:
    """The value of a side, and how far off the rounding of its operands lets it be."""
    assert side.expr is not None
    nominal = side.values()
    slack = [Fraction(0)] * len(nominal)
    for leaf in expressions.leaves(side.expr):
        if not leaf.literal.exact:
            moved = flat(evaluate(expressions.put(side.expr, leaf.index, leaf.literal.moved(0.5))))
            slack = [
                s + abs(Fraction(m) - Fraction(n)) if isfinite(n) else s
                for s, m, n in zip(slack, moved, nominal, strict=True)
            ]
    return nominal, slack


def _against_itself(
    case: Case, formula: Formula, chains: Sequence[Chain], numerals: Sequence[Numeral]
) -> None:
    """`=` means equal; `≈` means equal once rounded to the digits that the plain side shows."""
    if not any(len(chain.numeric) > 1 for chain in chains) and not formula.orders:
        case.add(
            "count",
            "has only one numeric side, so there is nothing to check it against: "
            "say what it equals, <!-- = … -->",
        )
    for chain in chains:
        first = min(chain.numeric, key=_roughness)
        truth = [
            Value(n, float(abs(n) * ROUNDING) if isfinite(n) else 0.0, "by its own numbers")
            for n in first.values()
        ]
        for side in chain.numeric:
            if side is not first and chain.rounded(first, side):
                (_plain if side.plain else _worked)(case, side, truth, numerals)
            elif side is not first:
                _equal(case, side, truth, numerals)
    for at, sign in formula.orders:
        left, right = formula.chains[at - 1].numeric[-1:], formula.chains[at].numeric[:1]
        if left and right and not _ordered(left[0], right[0], sign):
            case.add("stale", f"{sign} does not hold", _place(right[0], numerals))


def _roughness(side: Side) -> int:
    """Names are exact, arithmetic on printed numbers less so, a printed result least."""
    assert side.expr is not None
    return 2 if side.plain else 0 if expressions.names(side.expr) else 1


def _equal(case: Case, side: Side, truth: Sequence[Value], numerals: Sequence[Numeral]) -> None:
    assert side.expr is not None
    numbers, slots = side.values(), expressions.slots(side.expr)
    if len(numbers) != len(truth):
        case.add("count", f"its sides have {len(truth)} and {len(numbers)} numbers")
        return
    for at, (number, wanted) in enumerate(zip(numbers, truth, strict=True)):
        if _near(number, wanted.number, Fraction(0)):
            continue
        slot = slots[at] if side.plain else None
        if isinstance(slot, Leaf) and compare(slot.literal, wanted) != "same":
            compare_one(case, slot.literal, wanted, numerals[slot.index])
        else:
            case.add(
                "stale",
                f"its sides give {float(wanted.number):.10g} and "
                f"{float(number):.10g}: for a rounded number write \\approx",
                _place(side, numerals),
            )
        return


def _ordered(left: Side, right: Side, sign: str) -> bool:
    a, b = left.values()[0], right.values()[0]
    return bool(
        {"<": a < b, "≪": a < b, "≤": a <= b, ">": a > b, "≫": a > b, "≥": a >= b, "≠": a != b}.get(
            sign, True
        )
    )


def _near(a: Number, b: Number, slack: Fraction) -> bool:
    if not (isfinite(a) and isfinite(b)):
        return a == b
    return abs(Fraction(a) - Fraction(b)) <= slack + abs(Fraction(b)) * ROUNDING


def _place(side: Side, numerals: Sequence[Numeral]) -> int | None:
    return numerals[side.indices[0]].start if side.indices else None


def _loose(case: Case, formula: Formula, numerals: Sequence[Numeral]) -> None:
    """Move each number by one in its last place: the claim has to object."""
    named = set(formula.operands) if case.claim.operands else set()
    for index, numeral in enumerate(numerals):
        if numeral.claim is not case.claim or index in named:
            continue
        for steps in (1, -1):
            trial = Case(case.claim, case.answer)
            _compare(trial, formula.put(index, formula.literals[index].moved(steps)), numerals)
            if not trial.findings:
                case.add(
                    "loose",
                    f"{numeral.literal.text} could change unnoticed: "
                    "name the numbers, <!-- … from … -->",
                    numeral.start,
                )
                break
