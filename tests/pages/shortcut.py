"""The verdict on a page with one block changed, from that block alone.

What a change in a block can break is its own numbers and claims, and the claims on their own lines
below it. So everything else is taken out except what symbols stand for, and the block is judged
with what the whole page's program said. The lines stay where they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

from proofread.judge import judge
from proofread.maths.expressions import Name
from proofread.page import Page, parse
from proofread.proof import Proof
from proofread.reading.claims import LET, Claim
from proofread.running.outcome import Outcome
from proofread.running.program import run
from proofread.settings import Settings
from tests.pages.mutants import Mutant, block

Mark = tuple[int, str, str]  # line, rule, message


class Shortcut:
    def __init__(self, proof: Proof, settings: Settings) -> None:
        self.proof, self.settings = proof, settings
        self.part = cache(self._part)

    def judged(self, mutant: Mutant) -> list[Mark]:
        """What is wrong with a mutant, as `whole` would say it, references apart."""
        at = block(self.proof.page, mutant.at)
        spans, outcome, claims, known = self.part(at)
        page = self.parse(spans, mutant)
        if list(map(asks, page.claims)) != claims:
            return self.whole(mutant)
        return [mark for mark in marks(page, outcome, self.settings) if mark not in known]

    def whole(self, mutant: Mutant) -> list[Mark]:
        """The same from the whole page. Its program runs again only for a claim that is new."""
        page = parse(mutant.apply(self.proof.page.source), self.proof.page.path, self.settings)
        same = list(map(asks, page.claims)) == self.asked
        outcome = self.proof.outcome if same else run(page, self.settings)
        return marks(page, outcome, self.settings)

    @cached_property
    def asked(self) -> list[tuple[str, str, set[Name]]]:
        return list(map(asks, self.proof.page.claims))

    def _part(
        self, at: int
    ) -> tuple[list[tuple[int, int]], Outcome, list[tuple[str, str, set[Name]]], list[Mark]]:
        """What is kept for a block, what the program said to its claims, and its own marks."""
        page = self.proof.page
        last = at + 1
        while last < len(page.blocks) and page.blocks[last].kind == "mark":
            last += 1
        kept = page.blocks[at:last]
        spans = [(b.start, b.end) for b in kept]
        lets = [
            comment
            for lexed in page.lexed
            for comment in lexed.comments
            if comment[0] < kept[0].start and LET.fullmatch(page.source[slice(*comment)])
        ]
        answers = [
            self.proof.outcome.answers.get(number)
            for number, claim in enumerate(page.claims)
            if kept[0].start <= claim.start < kept[-1].end
        ]
        outcome = Outcome(answers={n: a for n, a in enumerate(answers) if a is not None})
        part = self.parse([*lets, *spans], Mutant("", 0, ()))
        claims = list(map(asks, part.claims))
        return [*lets, *spans], outcome, claims, marks(part, outcome, self.settings)

    def parse(self, spans: Sequence[tuple[int, int]], mutant: Mutant) -> Page:
        source, out, at = self.proof.page.source, "", 0
        for start, end in spans:
            edits = [(a - start, b - start, t) for a, b, t in mutant.edits if start <= a < end]
            out += "\n" * source.count("\n", at, start)
            out += mutant._replace(edits=tuple(edits)).apply(source[start:end])
            at = end
        return parse(out, self.proof.page.path, self.settings, self.proof.page.quoted)


def marks(page: Page, outcome: Outcome, settings: Settings) -> list[Mark]:
    """Findings by line; those about references need the whole page, and numbers do not."""
    return [
        (page.line(finding.offset), finding.rule, finding.message)
        for finding in judge(page, outcome, settings)
        if finding.rule != "reference"
    ]


def asks(claim: Claim) -> tuple[str, str, set[Name]]:
    """What a claim needs from the program."""
    formula = claim.piece.formula if claim.piece else None
    return claim.source, claim.scope, formula.used if formula else set()
