"""What a page refers to exists: sections, figures and files, here and in other chapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofread.page import parse
from proofread.settings import Settings

OTHER = """# Other

## First

Text.

## Second

/// figure-caption | 2.1
A.
///

!!! exercise "Exercise 2.1 · Do"

    Text.
"""
OWN = "# Own\n\n## One\n\n## Two\n\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "docs/chapters").mkdir(parents=True)
    (tmp_path / "docs/chapters/02-other.md").write_text(OTHER)
    chapters = {1: "01-own", 2: "02-other", 3: "03-planned"}
    return Settings(tmp_path, chapters=chapters, sources={"a2020": {"section 9": ("64",)}})


def told(text: str, settings: Settings, path: str = "docs/chapters/01-own.md") -> list[str]:
    return [finding.message for finding in parse(OWN + text + "\n", path, settings).problems]


GOOD = [
    "See section 1.2, sections 1.1 and 1.2, and section 2.",
    "See section 2.2, figure 2.1 and exercise 2.1.",
    "See section 3.9 and figure 3.4 of a planned chapter.",
    "It is in section 3.2.1.[^a2020]",
    "Section 9 has 64<!-- @ a2020, section 9 --> of them, and figure 12 too.",
    "[a](02-other.md) [b](03-planned.md#x) [c](https://a.b/c.md) [d](#here)",
    "[a](../chapters/02-other.md#first)",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_exists_or_is_planned_may_be_referred_to(settings: Settings, text: str) -> None:
    assert told(text, settings) == []


BAD = {
    "See section 1.3.": "section 1.3 does not exist",
    "See section 3.": "section 3 does not exist",
    "See section 0.": "section 0 does not exist",
    "See section 2.3.": "section 2.3 does not exist",
    "See section 4.1.": "section 4.1 does not exist",
    "See section 1.2.1.": "section 1.2.1 does not exist",
    "See sections 1.1 and 1.7.": "section 1.7 does not exist",
    "See figure 2.2.": "figure 2.2 does not exist",
    "See exercise 2.2.": "exercise 2.2 does not exist",
    "See table 2.1.": "table 2.1 does not exist",
    "See figure 1.1.": "figure 1.1 does not exist",
    "See step 1.": "step 1 does not exist",
    "See chapter 4.": "chapter 4 does not exist",
    "As known.[^a2020] See section 3.": "section 3 does not exist",
    "See section 3. It is known.[^a2020]": "section 3 does not exist",
    "[a](nothing.md)": "links to nothing.md, which does not exist",
    "[a](other/02-else.md)": "links to other/02-else.md, which does not exist",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_nowhere_is_named(settings: Settings, text: str) -> None:
    assert BAD[text] in told(text, settings)


def test_other_pages_find_the_chapters_too(settings: Settings) -> None:
    assert told("See section 2.2.", settings, "docs/index.md") == []
    assert told("See section 2.3.", settings, "docs/reference/notation.md") != []
