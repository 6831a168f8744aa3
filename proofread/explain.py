"""Why a number is right: what proves it, with all the digits, and how the two were compared."""

from __future__ import annotations

from collections.abc import Iterator

from proofread.derivations import sides
from proofread.page import kind
from proofread.proof import Proof
from proofread.reading.claims import Claim
from proofread.reading.literals import Literal
from proofread.reading.spans import Numeral
from proofread.report import says
from proofread.running.outcome import Answer
from proofread.values import Value, compare

RULES = {
    "reference": "it names a part of the book, which exists",
    "index": "it is an index: which one, not how many",
    "ordinal": "it is an ordinal: which one, not how many",
    "name": "it is part of a name",
    "list number": "it counts the items of a list",
    "heading number": "it counts headings",
    "caption number": "it counts captions, which count up",
}


def line(proof: Proof, at: int) -> Iterator[str]:
    """What there is to say of each number, and each claim, on a line of a page."""
    page = proof.page
    told: set[int] = set()
    for numeral in page.numerals:
        if page.line(numeral.start) <= at <= page.line(numeral.end) and numeral.claim is None:
            yield _without_claim(proof, numeral)
        claim = numeral.claim
        if claim and id(claim) not in told and at in _lines(proof, claim):
            told.add(id(claim))
            yield "\n".join(_claim(proof, claim))
    for claim in page.claims:
        if id(claim) not in told and at in _lines(proof, claim):
            yield "\n".join(_claim(proof, claim))


def _lines(proof: Proof, claim: Claim) -> set[int]:
    page = proof.page
    own = set(range(page.line(claim.start), page.line(claim.end) + 1))
    return own | {page.line(numeral.start) for numeral in claim.numerals}


def _without_claim(proof: Proof, numeral: Numeral) -> str:
    text = proof.page.source[numeral.start : numeral.end]
    if kind(numeral) == "structural":
        why = RULES.get(numeral.rule, numeral.rule)
        return f"{text} is structural ({numeral.rule}): {why}."
    hints = proof.outcome.hints.get(numeral.start, [])
    perhaps = f" Perhaps it is {' or '.join(hints)}." if hints else ""
    return f"{text} is neither computed, cited nor structural.{perhaps}"


def _claim(proof: Proof, claim: Claim) -> Iterator[str]:
    page, number = proof.page, proof.page.claims.index(claim)
    yield f"{says(claim)}<!-- {claim.source} -->"
    if claim.problem:
        yield f"  {claim.problem}"
        return
    if claim.kind == "cited":
        yield f"  cited: the bibliography quotes it from {claim.key}, {claim.locator}"
        return
    answer = proof.outcome.answers.get(number)
    if answer is None or answer.error:
        yield f"  {answer.error if answer else 'not known: a block before it failed'}"
        return
    scopes = {
        "number": "the number it touches",
        "list": "the list it touches, number by number",
        "math": "the formula it touches or stands below",
        "text": "the text it touches, letter by letter",
        "sentence": "the numbers of the sentence that have no other claim, in order",
        "column": "the column below it",
        "row": "the row beside it",
        "block": "all numbers of the block above it",
    }
    yield f"  proves {scopes.get(claim.scope, claim.scope)}"
    if answer.block >= 0:
        code = page.blocks_run[answer.block]
        ran = proof.outcome.runs[answer.block]
        where = f" on {ran.device}" if ran.device else ""
        yield f"  its names come from block {answer.block + 1}, {code.path}:{code.first}{where}"
    if claim.scope == "math":
        yield from _formula(claim, answer)
        return
    if claim.scope == "text":
        yield f"  code says {answer.text!r}"
    pairs = list(zip(claim.numerals, answer.values, strict=False))
    if len(claim.numerals) == 1:
        pairs = [(claim.numerals[0], value) for value in answer.values]
    for numeral, value in pairs:
        yield f"  {_comparison(numeral.literal, value)}"


def _formula(claim: Claim, answer: Answer) -> Iterator[str]:
    formula = claim.piece.formula if claim.piece else None
    for chain in sides(formula, answer.bindings) if formula else ():
        yield f"  its sides come to {' | '.join(chain)}"
    for value in [*answer.values, *answer.operands]:
        yield f"  {value.source} = {value} ({value.dtype})"


def _comparison(literal: Literal, value: Value) -> str:
    shown = literal.text + (f" {literal.unit}" if literal.unit else "")
    verdict = {"same": "agrees", "tie": "is too close to a rounding boundary", "differs": "differs"}
    step = float(literal.step * literal.scale)
    how = "exactly" if literal.exact else f"to the nearest {step:g}"
    said = f"{value.source} = {value} ({value.dtype})"
    return f"{shown}: {said}, compared {how}: {verdict[compare(literal, value)]}"
