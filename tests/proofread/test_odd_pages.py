"""The dialect: what is in it is read as it shows, and what is not is refused with its line."""

from __future__ import annotations

import pytest

from proofread.page import kind, parse
from tests.proofread.conftest import SETTINGS
from tests.proofread.odd import READ, REFUSED

PATH = "docs/chapters/01-x.md"


@pytest.mark.parametrize("text", READ)
def test_a_page_in_the_dialect_is_read_as_it_shows(text: str) -> None:
    page = parse(text, PATH, SETTINGS)
    assert [finding.message for finding in page.problems] == []
    assert [(page.source[n.start : n.end], kind(n)) for n in page.numerals] == READ[text]


@pytest.mark.parametrize("text", REFUSED)
def test_a_page_outside_the_dialect_is_refused_at_its_line(text: str) -> None:
    line, told = REFUSED[text]
    page = parse(text, PATH, SETTINGS)
    marks = [(page.line(f.offset), f.message) for f in page.problems if told in f.message]
    assert [at for at, _ in marks][:1] == [line], page.problems


def test_each_fault_of_the_dialect_is_told_once_a_block() -> None:
    page = parse("```text\n" * 3 + "8\u200b and \u200b\n$5 $6 $7\n", PATH, SETTINGS)
    told = [finding.message for finding in page.problems]
    assert len(told) == len(set(told))
