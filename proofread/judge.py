"""Everything that is wrong with a page."""

from __future__ import annotations

import re
from itertools import zip_longest

from proofread import derivations
from proofread.comparison import Case, compare_all
from proofread.marks import Finding
from proofread.page import Page, kind
from proofread.reading.claims import Claim
from proofread.reading.fences import Code
from proofread.reading.literals import Literal, read
from proofread.running.outcome import Answer, Outcome
from proofread.settings import Settings


def judge(page: Page, outcome: Outcome, settings: Settings) -> list[Finding]:
    """All findings, in reading order, given what the page's program said."""
    found = list(page.problems)
    if outcome.failure:
        found.append(outcome.failure)  # what the claims after it say is not known
    else:
        found += _outputs(page, outcome)
    for number, claim in enumerate(page.claims):
        if claim.problem:
            found.append(Finding(claim.start, "claim", claim.problem))
        elif claim.kind == "cited":
            found += _citation(claim, settings)
        elif number in outcome.answers:
            found += judge_claim(claim, outcome.answers[number])
        elif not outcome.failure:
            found.append(Finding(claim.start, "error", f"{claim.source}: was not run"))
    for numeral in page.numerals:
        if kind(numeral) == "unlabelled":
            text = " ".join(page.source[numeral.start : numeral.end].split())
            found.append(
                Finding(
                    numeral.start, "unlabelled", f"{text} is neither computed, cited nor structural"
                )
            )
    return sorted(found, key=lambda finding: finding.offset)


def judge_claim(claim: Claim, answer: Answer) -> list[Finding]:
    case = Case(claim, answer)
    if answer.recorded:
        return []  # judged wherever the block can run
    if answer.error:
        case.add("error", f"{claim.source}: {answer.error}")
    elif claim.scope == "text":
        if _lines(claim.text) != _lines(answer.text):
            case.add(
                "stale", f"page says {claim.text!r}, code says {answer.text!r} ({claim.value})"
            )
    elif claim.scope == "math" and claim.piece and claim.piece.formula:
        derivations.check(case, claim.piece.formula, claim.piece.numerals)
    elif claim.itself or claim.operands:
        case.add("claim", "only a formula can be checked against itself or have operands")
    else:
        literals = [numeral.literal for numeral in claim.numerals]
        compare_all(case, claim.numerals, literals, answer.values, f"the {claim.scope}")
        _nesting(case)
    return case.findings


def _citation(claim: Claim, settings: Settings) -> list[Finding]:
    """The source exists, and the bibliography quotes each of the numbers from that place."""
    source = settings.sources.get(claim.key)
    if source is None:
        return [Finding(claim.start, "citation", f"no {claim.key!r} in the bibliography")]
    if not claim.numerals:
        return [Finding(claim.start, "count", "proves nothing: no number stands before it")]
    quoted = source.get(claim.locator, ())
    found = []
    for numeral in claim.numerals:
        text = numeral.literal.text + (f" {numeral.literal.unit}" if numeral.literal.unit else "")
        if not any(_same(numeral.literal, figure) for figure in quoted):
            has = ", ".join(quoted) or "nothing"
            where = f"{claim.key}, {claim.locator or 'no place given'}"
            told = f"page says {text}, the bibliography quotes {has} from {where}"
            found.append(Finding(numeral.start, "citation", told))
    return found


def _same(literal: Literal, figure: str) -> bool:
    """True if the page prints the figure as the bibliography quotes it."""
    digits, _, unit = figure.partition(" ")
    quoted = read(digits, unit)
    return (quoted.value, quoted.step, quoted.scale) == (literal.value, literal.step, literal.scale)


def _outputs(page: Page, outcome: Outcome) -> list[Finding]:
    """A page shows the whole of a snippet, and it prints there what its .out says it prints."""
    files: dict[str, list[tuple[Code, str]]] = {}
    for code, output in zip(page.blocks_run, outcome.outputs, strict=True):
        if code.included:
            files.setdefault(code.path, []).append((code, output))
    found = []
    for path, blocks in files.items():
        first, at = blocks[0][0], blocks[-1][0].start
        missing = [name for name in first.sections if name not in [b.section for b, _ in blocks]]
        printed = "".join(output for _, output in blocks)
        if missing:
            told = f"shows {path} without its section {', '.join(missing)}"
            found.append(Finding(at, "output", told))
        elif printed != first.expected:
            out = path.removesuffix(".py") + ".out"
            told = _difference(printed, first.expected or "", out)
            found.append(Finding(at, "output", f"{told}\n    python {path} > {out}"))
    return found


def _difference(printed: str, expected: str, out: str) -> str:
    pairs = zip_longest(printed.splitlines(), expected.splitlines())
    for number, (now, then) in enumerate(pairs, 1):
        if now != then:
            return f"prints {now!r}, {out}:{number} says {then!r}"
    return f"prints other line ends than {out}"


def _nesting(case: Case) -> None:
    """[[1, 0], [0, 1]] is a matrix, and so must be what code says."""
    piece, shape = case.claim.piece, case.answer.shape
    if piece is None or piece.kind != "list" or shape is None or case.findings:
        return
    brackets = re.sub(r"[^\[\]]", "", piece.text)
    depth = len(brackets) - len(brackets.lstrip("["))
    if brackets and depth != len(shape):
        case.add(
            "count",
            f"{piece.text} has {depth} levels of brackets, {case.claim.source} has shape {shape}",
        )


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
