"""Change one printed digit anywhere, and the page fails and says where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofread.claims import Claim
from proofread.expressions import Name
from proofread.judge import judge
from proofread.page import Page, kind, parse
from proofread.program import run
from proofread.proof import Proof, prove
from proofread.settings import load
from tests.pages import mutants

ROOT = Path(__file__).parents[2]
SETTINGS = load(ROOT)
PAGES = [path.relative_to(ROOT).as_posix() for path in SETTINGS.files()]


@pytest.fixture(scope="module", params=PAGES)
def proof(request: pytest.FixtureRequest) -> Proof:
    proved = prove(ROOT / request.param, SETTINGS)
    assert not proved.findings, "the page must be clean to begin with"
    return proved


def test_every_wrong_digit_is_noticed_at_its_line(proof: Proof) -> None:
    page, survivors, lines = proof.page, [], []
    for numeral in page.numerals:
        if kind(numeral) == "structural":
            continue
        for what, source in mutants.of_number(page, numeral):
            mutant = judged(proof, source)
            line = page.line(numeral.start)
            if not mutant.findings:
                survivors.append(f"{page.path}:{line}: {what}")
            block = block_lines(page, numeral.start)
            if not any(mutant.page.line(f.offset) in block for f in mutant.findings):
                lines.append(f"{page.path}:{line}: {what}: {mutant.report_all}")
    assert not survivors, "\n".join(survivors)
    assert not lines, "\n".join(lines)


def test_a_stale_number_is_named_with_what_the_page_and_the_code_say() -> None:
    path = ROOT / "docs/chapters/07-worked-example.md"
    proof = prove(path, SETTINGS)
    plain = [
        n for n in proof.page.numerals
        if n.claim and n.claim.scope == "number" and n.claim.kind == "computed"
    ]  # fmt: skip
    assert len(plain) >= 20
    for numeral in plain:
        what, source = next(mutants.of_number(proof.page, numeral))
        wrong = what.partition(" -> ")[2]
        report = judged(proof, source).report_all
        place = f"{proof.page.path}:{proof.page.line(numeral.start)}:"
        assert report.startswith(place)
        assert f"page says {wrong}" in report
        assert "code says " in report


@pytest.mark.deep
def test_a_deleted_claim_is_missed(proof: Proof) -> None:
    page = proof.page
    kept = []
    for claim in page.claims:
        source = page.source[: claim.start] + page.source[claim.end :]
        if not judged(proof, source).findings and claim.scope != "text":
            kept.append(f"{page.path}:{page.line(claim.start)}: {claim.source}")
    assert not kept, "\n".join(kept)


@pytest.mark.deep
def test_every_reference_to_a_part_of_the_book_must_resolve(proof: Proof) -> None:
    page = proof.page
    for numeral in page.numerals:
        before = page.source[: numeral.digits[0]]
        if numeral.rule == "reference" and re.search(r"(chapter|figure|table|exercise) $", before):
            source = page.source[: numeral.digits[0]] + "99" + page.source[numeral.digits[1] :]
            assert judged(proof, source).findings, f"{page.path}:{page.line(numeral.start)}"


def judged(proof: Proof, source: str) -> Proof:
    """The verdict on a changed page. The program runs again only if a claim asks something new."""
    mutant = parse(source, proof.page.path, SETTINGS)
    same = list(map(asks, mutant.claims)) == list(map(asks, proof.page.claims))
    outcome = proof.outcome if same else run(mutant)
    return Proof(mutant, outcome, judge(mutant, outcome, SETTINGS))


def asks(claim: Claim) -> tuple[str, str, set[Name]]:
    """What a claim needs from the program."""
    formula = claim.piece.formula if claim.piece else None
    return claim.source, claim.scope, formula.used if formula else set()


def block_lines(page: Page, offset: int) -> range:
    """The lines of the block around a number, and of the claim below it."""
    at = next(i for i, block in enumerate(page.blocks) if block.start <= offset < block.end)
    last = page.blocks[min(at + 1, len(page.blocks) - 1)]
    return range(page.line(page.blocks[at].start), page.line(last.end) + 1)
