from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, FIRST, HOME

PAPER = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(253, 252, 250)", "rgb(23, 24, 27)"


def choose(page: Page, scheme: str) -> None:
    """Press the button until it has given the scheme of that name."""
    while not page.locator(f".md-option[aria-label='{scheme}']").is_checked():
        page.locator("[data-md-component=palette] label:visible").click()


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_page_follows_the_system(visit: Visit, system: str) -> None:
    assert visit(CHAPTER, scheme=system).evaluate(PAPER) == (DARK if system == "dark" else LIGHT)


@pytest.mark.parametrize(("system", "chosen"), [("light", "Dark"), ("dark", "Light")])
def test_a_chosen_scheme_outlasts_pages_and_reloads(visit: Visit, system: str, chosen: str) -> None:
    page = visit(HOME, scheme=system)
    wanted = DARK if chosen == "Dark" else LIGHT
    choose(page, chosen)
    assert page.evaluate(PAPER) == wanted
    page.locator(".start").click()
    expect(page).to_have_url(re.compile(FIRST))
    assert page.evaluate(PAPER) == wanted
    page.reload()
    assert page.evaluate(PAPER) == wanted
    choose(page, "Follow the system")
    assert page.evaluate(PAPER) == (DARK if system == "dark" else LIGHT)
