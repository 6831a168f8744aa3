"""A checked number shows what proves it, by pointer and by finger."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, HOME

RECEIPTS = ".claim > a, a.mark"


def a_number(page: Page) -> Locator:
    return page.locator(".claim > a", has_text=re.compile(r"^1\.4142$")).first


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1440)])
def test_resting_on_a_number_shows_its_receipt(visit: Visit, width: int, scheme: str) -> None:
    page = visit(CHAPTER, width=width, scheme=scheme)
    a_number(page).hover()
    card = page.locator("#receipt")
    expect(card).to_be_visible()
    expect(card.locator("dt")).to_have_text(["expression", "value", "type", "from"])
    expect(card.locator("dd")).to_have_text(
        ["scaled[2][2]", re.compile(r"1\.41421356237309\d+"), "float64", "plain_rung.py"]
    )
    box = card.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_a_receipt_says_with_what_it_was_computed_and_can_be_reported(chapter: Page) -> None:
    a_number(chapter).hover()
    foot = chapter.locator("#receipt .provenance")
    expect(foot).to_contain_text(re.compile(r"Python 3\.\d+\.\d+, .*numpy \d.* commit [0-9a-f]{7}"))
    address = urlsplit(foot.get_by_role("link").get_attribute("href") or "")
    asked = parse_qs(address.query)
    assert address.path.endswith("/issues/new")
    assert asked["title"] == ["Wrong number: 1.4142"]
    body = asked["body"][0]
    assert re.search(rf"Page: \S+{CHAPTER}#c\d+\nThe page says: 1\.4142\n", body)
    assert "Expression: scaled[2][2]\nCode says: 1.41421356237309" in body


def test_a_receipt_covers_neither_its_number_nor_leaves_the_window(chapter: Page) -> None:
    for number in chapter.locator(":not(.widget *) > .claim > a:visible").all()[::9]:
        number.hover()
        card = chapter.locator("#receipt").bounding_box()
        about = number.evaluate("node => node.getClientRects()[0].toJSON()")
        assert card
        assert card["y"] >= 0
        assert card["y"] + card["height"] <= 900
        assert card["y"] + card["height"] <= about["top"] + 1 or card["y"] >= about["bottom"] - 1
        chapter.keyboard.press("Escape")


def test_a_receipt_leads_to_the_block_that_made_the_number(chapter: Page) -> None:
    a_number(chapter).hover()
    source = chapter.locator("#receipt dl").get_by_role("link")
    block = (source.get_attribute("href") or "").rpartition("#")[2]
    source.click()
    expect(chapter).to_have_url(re.compile(f"#{block}$"))
    expect(chapter.locator(f"figure.run#{block}")).to_be_in_viewport()


def test_escape_hides_a_receipt(chapter: Page) -> None:
    a_number(chapter).hover()
    expect(chapter.locator("#receipt")).to_be_visible()
    chapter.keyboard.press("Escape")
    expect(chapter.locator("#receipt")).to_be_hidden()


def test_a_receipt_goes_when_the_pointer_goes_and_stays_under_it(chapter: Page) -> None:
    a_number(chapter).hover()
    card = chapter.locator("#receipt")
    card.hover()
    chapter.wait_for_timeout(300)
    expect(card).to_be_visible()
    chapter.locator("h1").hover()
    expect(card).to_be_hidden()


@pytest.mark.parametrize("where", [HOME, CHAPTER])
def test_a_tap_shows_a_receipt_and_stays_on_the_page(visit: Visit, where: str) -> None:
    page = visit(where, width=360, has_touch=True, is_mobile=True)
    number = page.locator(".claim > a:visible").first
    number.scroll_into_view_if_needed()
    before, top = page.url, page.evaluate("scrollY")
    number.tap()
    expect(page.locator("#receipt")).to_be_visible()
    assert (page.url, page.evaluate("scrollY")) == (before, top)
    page.touchscreen.tap(5, 450)
    expect(page.locator("#receipt")).to_be_hidden()


@pytest.mark.parametrize("where", [HOME, CHAPTER])
def test_receipts_are_no_tab_stops(visit: Visit, where: str) -> None:
    receipts = visit(where).locator(RECEIPTS)
    assert set(receipts.evaluate_all("all => all.map(one => one.tabIndex)")) == {-1}
