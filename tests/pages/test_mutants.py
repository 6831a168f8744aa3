"""Change one printed digit anywhere, and the page fails and says where."""

from __future__ import annotations

import random
import re
import time
import tomllib
from pathlib import Path

import pytest

from proofread.page import Page, kind, parse
from proofread.proof import Proof, prove, prove_text
from proofread.settings import load
from tests.pages import mutants
from tests.pages.mutants import Mutant
from tests.pages.shortcut import Shortcut

ROOT = Path(__file__).parents[2]
SETTINGS = load(ROOT)
PAGES = [path.relative_to(ROOT).as_posix() for path in SETTINGS.files()]
CHAPTER = "docs/chapters/07-worked-example.md"
SURVIVORS = Path(__file__).with_name("survivors.toml")
PROVED: dict[str, Proof] = {}


def proved(path: str) -> Proof:
    if path not in PROVED:
        PROVED[path] = prove(ROOT / path, SETTINGS)
    assert not PROVED[path].findings, "the page must be clean to begin with"
    return PROVED[path]


@pytest.fixture(params=PAGES)
def proof(request: pytest.FixtureRequest) -> Proof:
    return proved(request.param)


def numbers(page: Page) -> list[Mutant]:
    return [
        mutant
        for numeral in page.numerals
        if kind(numeral) != "structural"
        for mutant in mutants.of_number(page, numeral)
    ]


def place(page: Page, mutant: Mutant) -> str:
    return f"{page.path}:{page.line(mutant.at)}: {mutant.what}"


def test_every_wrong_digit_is_noticed_at_its_line(proof: Proof) -> None:
    page, shortcut, survivors, lines = proof.page, Shortcut(proof, SETTINGS), [], []
    for mutant in numbers(page):
        marks = shortcut.judged(mutant)
        if not marks:
            survivors.append(place(page, mutant))
        elif not any(line in block_lines(page, mutant.at) for line, _, _ in marks):
            lines.append(f"{place(page, mutant)}: {marks}")
    assert not survivors, "\n".join(survivors)
    assert not lines, "\n".join(lines)


def test_a_block_alone_gets_the_verdict_of_the_whole_page() -> None:
    proof = proved(CHAPTER)
    shortcut, pick = Shortcut(proof, SETTINGS), random.Random(7)
    sample = pick.sample(numbers(proof.page), 30) + pick.sample(slips(proof.page), 10)
    alone = [shortcut.judged(mutant) for mutant in sample]
    whole = [shortcut.whole(mutant) for mutant in sample]
    assert alone == whole


def test_a_block_alone_is_judged_five_times_faster_than_the_page() -> None:
    proof = proved(CHAPTER)
    shortcut, sample = Shortcut(proof, SETTINGS), random.Random(7).sample(numbers(proof.page), 30)
    spent = []
    for judge in (shortcut.judged, shortcut.judged, shortcut.whole):  # the first to warm up
        start = time.process_time()
        for mutant in sample:
            judge(mutant)
        spent.append(time.process_time() - start)
    assert spent[2] > 5 * spent[1], spent


def test_a_stale_number_is_named_with_what_the_page_and_the_code_say() -> None:
    page = proved(CHAPTER).page
    shortcut = Shortcut(proved(CHAPTER), SETTINGS)
    plain = [
        n for n in page.numerals
        if n.claim and n.claim.scope == "number" and n.claim.kind == "computed"
    ]  # fmt: skip
    assert len(plain) >= 20
    for numeral in plain:
        mutant = next(mutants.of_number(page, numeral))
        line, rule, message = shortcut.judged(mutant)[0]
        assert (line, rule) == (page.line(numeral.start), "stale")
        assert message.startswith(f"page says {mutant.what.partition(' -> ')[2]}")
        assert "code says " in message


def test_words_and_attributes_are_changed_too() -> None:
    text = (
        '```python exec="on"\nq = [1, 3]\n```\n\nIt has two<!-- = len(q) --> of them.\n\n'
        '<attn-mixture q="1, 3" markdown="block"><!-- = q -->\n\nA.\n\n</attn-mixture>\n'
    )
    proof = prove_text(text, "docs/chapters/01-x.md", SETTINGS)
    assert not proof.findings, proof.report_all
    shortcut, made = Shortcut(proof, SETTINGS), numbers(proof.page)
    assert {"two -> three", "1 -> 2", "3 -> 4", "3 -> 2"} <= {mutant.what for mutant in made}
    assert all(map(shortcut.judged, made))


@pytest.mark.deep
def test_a_lost_sign_a_wrong_operator_and_an_exchange_are_noticed(proof: Proof) -> None:
    """All but those that survivors.toml lists, each with the reason why nothing is wrong then."""
    page, shortcut = proof.page, Shortcut(proof, SETTINGS)
    listed = {
        (entry["what"], entry["line"])
        for entry in tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("survivor", [])
        if entry["page"] == page.path and entry["reason"]
    }
    survived = {
        (mutant.what, first_words(page, mutant))
        for mutant in slips(page)
        if not shortcut.judged(mutant)
    }
    assert survived == listed


@pytest.mark.deep
def test_a_deleted_claim_is_missed(proof: Proof) -> None:
    page, shortcut, kept = proof.page, Shortcut(proof, SETTINGS), []
    for claim in page.claims:
        mutant = Mutant("deleted", claim.start, ((claim.start, claim.end, ""),))
        if not shortcut.whole(mutant) and claim.scope != "text":
            kept.append(f"{place(page, mutant)}: {claim.source}")
    assert not kept, "\n".join(kept)


@pytest.mark.deep
def test_every_reference_to_a_part_of_the_book_must_resolve(proof: Proof) -> None:
    page = proof.page
    for numeral in page.numerals:
        before = page.source[: numeral.digits[0]]
        if numeral.rule == "reference" and re.search(r"(chapter|figure|table|exercise) $", before):
            source = page.source[: numeral.digits[0]] + "99" + page.source[numeral.digits[1] :]
            problems = parse(source, page.path, SETTINGS).problems
            assert problems, f"{page.path}:{page.line(numeral.start)}"


def slips(page: Page) -> list[Mutant]:
    return [*mutants.signs(page), *mutants.operators(page), *mutants.exchanges(page)]


def first_words(page: Page, mutant: Mutant) -> str:
    """The text from the change on, which stays the same when lines move."""
    return " ".join(page.source[mutant.at : mutant.at + 60].split())


def block_lines(page: Page, offset: int) -> range:
    """The lines of the block around a number, and of the claim below it."""
    at = mutants.block(page, offset)
    last = page.blocks[min(at + 1, len(page.blocks) - 1)]
    return range(page.line(page.blocks[at].start), page.line(last.end) + 1)
