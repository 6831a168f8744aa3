"""On paper everything is unfolded, and nothing is there that only a screen can use."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER

FOLDED = (".option > div", ".solution > *", ".ledger tr", ".tabbed-block", ".tabbed-block .out")
SEEN = "all => all.map(one => one.checkVisibility({contentVisibilityAuto: true}))"
CHROME = (
    ".md-header, .md-sidebar, .md-footer, .md-search, .turn, .headerlink, .md-code__button,"
    " .footnote-backref"
)


@pytest.fixture
def paper(chapter: Page) -> Page:
    """The chapter as it is printed."""
    chapter.emulate_media(media="print")
    return chapter


def test_what_a_screen_folds_paper_shows(paper: Page) -> None:
    for selector in FOLDED:
        nodes = paper.locator(selector)
        heights = nodes.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert min(heights) > 0, selector
        assert all(nodes.evaluate_all(SEEN)), selector


def test_every_tab_has_its_name_above_it(paper: Page) -> None:
    tops = paper.evaluate(
        """() => ['.tabbed-labels > label', '.tabbed-block'].map(selector =>
          [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect().top))"""
    )
    labels, blocks = tops
    assert len(labels) == len(blocks) > 1
    assert sorted(labels + blocks) == [top for pair in zip(*tops, strict=True) for top in pair]


def test_nothing_is_printed_that_only_a_screen_can_use(paper: Page) -> None:
    assert not any(paper.locator(CHROME).evaluate_all(SEEN))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_white(visit: Visit, scheme: str) -> None:
    page = visit(CHAPTER, scheme=scheme)
    page.emulate_media(media="print", color_scheme="dark" if scheme == "dark" else "light")
    colours = page.evaluate(
        """() => ['backgroundColor', 'color']
          .map(name => getComputedStyle(document.querySelector('article p'))[name]
            .match(/[\\d.]+/g).map(Number))"""
    )
    background, ink = colours
    assert background[3:] == [0] or min(background[:3]) > 250
    assert max(ink[:3]) < 100


def test_the_chapter_prints_to_several_pages(chapter: Page) -> None:
    assert len(re.findall(rb"/Type\s*/Page\b", chapter.pdf())) > 3


def test_the_one_sheet_is_one_sheet(visit: Visit) -> None:
    page = visit("chapters/12-mental-model/")
    page.set_viewport_size({"width": 624, "height": 941})  # an A4 sheet within its margins
    page.emulate_media(media="print")
    sheet = page.locator(".sheet")
    box = sheet.bounding_box()
    assert box
    assert box["height"] < 941
    style = sheet.evaluate("e => [getComputedStyle(e).breakBefore, getComputedStyle(e).breakAfter]")
    assert style == ["page", "page"]
