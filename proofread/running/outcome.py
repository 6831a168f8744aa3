"""A page is a program: its fences and its claims, in order, in one fresh namespace.

Here is the walk along it. A machine answers: `Program` runs code, `Memory` remembers what code
said. What becomes of the page is the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from proofread.marks import Finding
from proofread.maths.expressions import Name
from proofread.maths.operations import Result
from proofread.page import Page
from proofread.reading.claims import Claim
from proofread.reading.fences import Code
from proofread.reading.subscripts import below_one
from proofread.running.said import Ask, Said
from proofread.suggest import hints
from proofread.values import Value


@dataclass(frozen=True)
class Ran:
    """What became of one block."""

    output: str = ""  # everything that it, and what it calls, wrote to stdout
    warned: str = ""  # and to stderr
    device: str = ""  # where it did its work, if it says
    figures: tuple[str, ...] = ()  # SVG
    made: tuple[str, ...] = ()  # the names it gave a value
    absent: tuple[str, ...] = ()  # the names it would have made, could it run on this system
    recorded: str = ""  # when and where it ran, if not here


@dataclass
class Answer:
    """What code says about one claim."""

    values: list[Value] = field(default_factory=list)
    operands: list[Value] = field(default_factory=list)
    bindings: dict[Name, Result] = field(default_factory=dict)  # of the page's `let`
    shape: tuple[int, ...] | None = None
    text: str = ""  # of a value that is no number
    block: int = -1  # the block that gave the claim's names their values; −1 for none
    error: str = ""
    recorded: bool = False  # it is about a block that cannot run on this system


@dataclass
class Outcome:
    """What became of a page's program."""

    runs: list[Ran] = field(default_factory=list)  # its blocks, in order
    answers: dict[int, Answer] = field(default_factory=dict)  # by the number of the claim
    hints: dict[int, list[str]] = field(default_factory=dict)  # offset of a number: expressions
    failure: Finding | None = None  # the block that raised; nothing after it has run

    @property
    def outputs(self) -> list[str]:
        return [ran.output for ran in self.runs]

    @property
    def devices(self) -> list[str]:
        return [ran.device for ran in self.runs]


class Failed(Exception):
    """A block raised, or tried to end the program."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Machine(Protocol):
    def execute(self, code: Code) -> Ran:
        """Run a block; raise Failed if it fails."""

    def evaluate(self, ask: Ask) -> Said:
        """What an expression is after the latest block."""

    def candidates(self) -> Sequence[Value]:
        """Expressions that an unlabelled number might be, with their values."""


def walk(page: Page, machine: Machine) -> Outcome:
    """Go through a page. A claim waits until the names it uses are defined."""
    outcome = Outcome()
    steps: list[tuple[int, Code | Claim]] = [(code.start, code) for code in page.blocks_run]
    steps += [(claim.start, claim) for claim in page.claims if claim.kind == "computed"]
    number = {id(claim): n for n, claim in enumerate(page.claims)}
    waiting: list[Claim] = []
    try:
        for _, step in sorted(steps, key=lambda pair: pair[0]):
            if isinstance(step, Code):
                outcome.runs.append(machine.execute(step))
            else:
                waiting.append(step)
            for claim in list(waiting) if isinstance(step, Code) else [step]:
                answer = _answer(claim, machine, outcome.runs)
                outcome.answers[number[id(claim)]] = answer
                if not answer.error.startswith("no name"):
                    waiting.remove(claim)
    except Failed as failed:
        outcome.failure = failed.finding
        return outcome
    if page.unlabelled and page.blocks_run:
        outcome.hints = hints(page, machine.candidates())
    return outcome


def _answer(claim: Claim, machine: Machine, runs: Sequence[Ran]) -> Answer:
    answer = Answer()
    if claim.problem:
        return answer
    answer.block = _maker(claim, runs)
    values = list(_parts(claim.value))
    for expression, starred in values:
        said = machine.evaluate(Ask(expression))
        if _stopped(answer, said, runs):
            return answer
        if claim.scope == "text":
            answer.text = said.text
            return answer
        answer.error = answer.error or said.error
        answer.values += said.values
        answer.shape = said.shape if len(values) == 1 and not starred else None
    for expression, _ in _parts(claim.operands):
        said = machine.evaluate(Ask(expression))
        if _stopped(answer, said, runs):
            return answer
        answer.error = answer.error or said.error
        answer.operands += said.values
    if claim.scope == "math" and not answer.error:
        _bind(claim, answer, machine, runs)
    return answer


def _bind(claim: Claim, answer: Answer, machine: Machine, runs: Sequence[Ran]) -> None:
    """Give symbols their values. Only a formula without any other proof insists on it."""
    formula = claim.piece.formula if claim.piece else None
    for name in sorted(formula.used, key=str) if formula else ():
        expression = claim.lets[name.source]
        if wrong := below_one(name.source, expression, name.index):
            answer.error = wrong
            return
        said = machine.evaluate(Ask(expression, name.index))
        if not said.missing:
            answer.error = answer.error or said.error
            answer.bindings[name] = said.nested
        elif claim.itself and _stopped(answer, said, runs):
            return


def _stopped(answer: Answer, said: Said, runs: Sequence[Ran]) -> bool:
    """A name is not defined: not yet, not here, or not at all."""
    if not said.missing:
        return False
    if any(said.missing in ran.absent for ran in runs):
        answer.recorded = True
    else:
        answer.error = f"no name {said.missing!r} on this page"
    return True


def _maker(claim: Claim, runs: Sequence[Ran]) -> int:
    """The latest of the blocks that gave the names in a claim their values."""
    tree = ast.parse(f"[{claim.value}],[{claim.operands}]")
    makers: Mapping[str, int] = {name: n for n, ran in enumerate(runs) for name in ran.made}
    names = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return max((makers[name] for name in names if name in makers), default=-1)


def _parts(expressions: str) -> Iterator[tuple[str, bool]]:
    """Each part of `a, *w`, and whether it has a star."""
    listed = ast.parse(f"[{expressions}]", mode="eval").body
    assert isinstance(listed, ast.List)
    for part in listed.elts:
        starred = isinstance(part, ast.Starred)
        yield ast.unparse(part.value if isinstance(part, ast.Starred) else part), starred
