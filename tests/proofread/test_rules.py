from __future__ import annotations

import pytest

from proofread.page import kind, parse
from tests.proofread.conftest import SETTINGS
from tests.proofread.corpus import INNOCENT, REAL

STRICT = {"cuda:0 is used", "W_Q^{(1)} is text", "an A100-80GB card", "level-1 headings in Qwen2.5"}


def unlabelled(text: str) -> list[str]:
    page = parse(text + "\n", "x.md", SETTINGS)
    return [page.source[n.start : n.end] for n in page.numerals if kind(n) == "unlabelled"]


@pytest.mark.parametrize("text", INNOCENT)
def test_structural_numbers_need_no_claim(text: str) -> None:
    assert bool(unlabelled(text)) == (text in STRICT)


@pytest.mark.parametrize("text", REAL)
def test_structural_rules_hide_no_number(text: str) -> None:
    assert unlabelled(text)
