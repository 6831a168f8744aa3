"""The page is complete for a browser that runs no script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import unfold
from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, HOME, PAGES

TEXT = """() => {
  const article = document.querySelector('article').cloneNode(true);
  article.querySelectorAll('.md-code__nav, .w-view').forEach(node => node.remove());
  return article.textContent.replace(/\\s+/g, ' ').trim();
}"""


@pytest.fixture
def plain(visit: Visit) -> Page:
    """The chapter in a browser without JavaScript."""
    return visit(CHAPTER, java_script_enabled=False)


@pytest.mark.parametrize("where", PAGES)
def test_a_script_adds_no_text_but_a_widgets(visit: Visit, where: str) -> None:
    with_script = visit(where).evaluate(TEXT)
    assert visit(where, java_script_enabled=False).evaluate(TEXT) == with_script


def test_text_formulas_outputs_and_ledger_are_seen(plain: Page) -> None:
    unfold(plain)
    for selector in ("p", "math", ".out", ".option > div", ".solution > p", ".ledger tr"):
        nodes = plain.locator(f".md-content :is({selector}):not(.tabbed-block *)")
        assert nodes.count() > 0
        sizes = nodes.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert min(sizes) > 0, selector


def test_a_question_opens_one_option(plain: Page) -> None:
    options = plain.locator(".options").first.locator(".option")
    for number in (0, 1):
        options.nth(number).locator("summary").click(position={"x": 5, "y": 5})
        expect(options.nth(number).locator("> div")).to_be_visible()
    expect(options.nth(0).locator("> div")).to_be_hidden()


def test_code_tabs_switch(plain: Page) -> None:
    plain.locator(".tabbed-labels > label").nth(1).click()
    expect(plain.locator(".tabbed-block").nth(1)).to_be_visible()
    expect(plain.locator(".tabbed-block").nth(0)).to_be_hidden()


def test_a_receipt_is_a_link_to_its_row_and_back(plain: Page) -> None:
    number = plain.locator(".claim > a:visible").first
    row = plain.locator((number.get_attribute("href") or "").replace(plain.url, ""))
    number.click()
    expect(plain).to_have_url(re.compile(r"#n\d+$"))
    expect(row).to_be_in_viewport()
    row.locator("a").first.click()
    expect(plain).to_have_url(re.compile(r"#c\d+$"))
    expect(number).to_be_in_viewport()


def test_a_row_of_the_ledger_opens_the_solution_its_number_is_in(plain: Page) -> None:
    hidden = plain.locator(".solution .claim").first
    expect(hidden).to_be_hidden()
    plain.goto(f"{CHAPTER}#{hidden.get_attribute('id')}")
    expect(hidden).to_be_in_viewport()


@pytest.mark.parametrize("where", [HOME, CHAPTER])
def test_the_dark_scheme_follows_the_system(visit: Visit, where: str) -> None:
    page = visit(where, java_script_enabled=False, scheme="dark")
    paper, ink = page.evaluate(
        """() => ['backgroundColor', 'color'].map(name => Math.max(
          ...getComputedStyle(document.body)[name].match(/\\d+/g).slice(0, 3).map(Number)))"""
    )
    assert paper < 60
    assert ink > 180
