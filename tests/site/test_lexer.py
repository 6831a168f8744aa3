"""No number shows on the site that proofread has not seen: Python-Markdown is the judge."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import markdown
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from book.widgets import tags
from proofread.page import Page, parse
from proofread.settings import load
from tests.proofread.odd import READ
from tests.site.conftest import EXTENSIONS

ROOT = Path(__file__).parents[2]
SETTINGS = load(ROOT)
PAGES = [path.relative_to(ROOT).as_posix() for path in SETTINGS.files()]
CAPTION = "pymdownx.blocks.caption"
KINDS = [{"name": f"{kind}-caption", "prefix": f"{kind} {{}}"} for kind in ("figure", "table")]
VOID = {"br", "hr", "img", "input", "link", "meta", "source"}


class Text(HTMLParser):
    """What a reader sees outside blocks of code and the marks of footnotes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[bool] = []  # for each open element: does its text show?
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        mark = "footnote-ref" in str(dict(attributes).get("class"))
        if tag not in VOID:
            self.open.append(tag not in ("pre", "script", "style") and not mark)
        if tag not in ("b", "strong", "em", "i", "span", "a", "code", "del", "mark"):
            self.text += " "

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if all(self.open):
            self.text += data


def shown(page: Page) -> Counter[str]:
    """The runs of digits in the text that Python-Markdown makes of a page without its comments."""
    source = page.source.replace("\r\n", "\n")
    for start, end in sorted((c for lexed in page.lexed for c in lexed.comments), reverse=True):
        source = source[:start] + source[end:]
    source = re.sub(r"\A---\n.*?\n---\n", "", source, flags=re.S)
    source = re.sub(r"(?m)^( *[`~]{3,}\w*)(?: +[\w-]+=\"[^\"\n]*\")+$", r"\1", source)
    source = re.sub(r"\[\^[a-z][\w-]*\d{4}\]", "", source)  # sources, whose notes the book writes
    md = markdown.Markdown(
        extensions=[*EXTENSIONS, CAPTION],
        extension_configs={
            "pymdownx.arithmatex": {"generic": True},
            CAPTION: {"auto": False, "types": KINDS},
        },
    )
    md.block_level_elements += tags()
    reader = Text()
    reader.feed(md.convert(source))
    return Counter(re.findall(r"[0-9]+", reader.text))


def seen(page: Page) -> Counter[str]:
    numerals = (page.source[n.start : n.end] for n in page.numerals)
    return Counter(run for text in numerals for run in re.findall(r"[0-9]+", text))


@pytest.mark.parametrize("text", READ)
def test_no_odd_page_shows_a_number_that_is_not_seen(text: str) -> None:
    page = parse(text, "docs/chapters/01-x.md", SETTINGS)
    assert not shown(page) - seen(page)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_shows_a_number_that_is_not_seen(path: str) -> None:
    page = parse((ROOT / path).read_text(encoding="utf-8"), path, SETTINGS)
    assert not shown(page) - seen(page)


PIECES = [
    "8 ", "64", "2.5 ", "three ", "x2 ", "1. ", "8) ", "- ", "> ", "# ", "## 3. ", "    ", "  ",
    "\n", "\n\n", "\n\n    ", "\n    ", "\n\n        ", "\n- ", "text ", "( ) ", ":   ",
    "!!! note\n\n    ", '!!! note "9 a"\n\n    ', '??? note "5"\n\n    ', '=== "Tab 4"\n\n    ',
    "[^1]", "\n\n[^1]: ", "`", "`5`", "``", "`x[3]`", "$", "$x = 6$", "$$\n", "$$", "\\(", "\\)",
    "\\[", "\\]", "\\begin{align}\n", "\\end{align}\n", "\\", "*", "**", "_", "~~", "==", "  \n",
    "<!-- 7 -->", "<!--", "-->", "<b>", "</b>", "<br>", "<div markdown>\n", "</div>\n", "<p>",
    '<i title="7">', "<figure markdown>\n", "</figure>\n", "<", ">", "&amp;", "&#57;", "&", "|",
    "| 1 | 2 |\n|---|---|\n| 3 | 4 |\n", "---\n", "===\n", "```json\n9\n```\n", "```\n", "~~~\n",
    "[a 7](03-x.md)", "![b 8](c.svg)", "[", "]", "](03-x.md)", "{ .c }", "{: .c9 }\n", "{#a4}",
    "/// figure-caption | 1.1\n", "///\n", "https://a.b/7 ", "[1, 2]", "½", "10⁻⁶", "x²", "\t",
]  # fmt: skip


def shows_nothing_unseen(text: str) -> None:
    page = parse(text + "\n", "docs/chapters/01-x.md", SETTINGS)
    if not any(
        finding.rule in ("dialect", "fence", "formula", "reference") for finding in page.problems
    ):
        assert not shown(page) - seen(page)


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_no_page_that_is_not_refused_shows_an_unseen_number(text: str) -> None:
    shows_nothing_unseen(text)


@pytest.mark.deep
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(
    max_examples=20_000,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_no_longer_page_that_is_not_refused_shows_an_unseen_number(text: str) -> None:
    shows_nothing_unseen(text)


def test_a_number_that_the_lexer_misses_would_be_noticed() -> None:
    page = parse("It has 8 of 9.\n", "docs/chapters/01-x.md", SETTINGS)
    page.numerals.pop()
    assert shown(page) - seen(page) == Counter({"9": 1})
