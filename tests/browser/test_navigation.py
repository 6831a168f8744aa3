"""Instant navigation: pages change without a reload, and everything works after it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.acts import linked
from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, HOME


def to_the_chapter(page: Page) -> None:
    linked(page)
    page.locator(f"article a[href$='{CHAPTER}']").first.click()
    expect(page).to_have_url(re.compile(f"/{CHAPTER}$"))
    expect(page.locator("h1")).to_contain_text("worked example")


def test_a_link_changes_the_page_without_a_reload_and_back_returns(visit: Visit) -> None:
    page = visit(HOME)
    home = page.url
    page.evaluate("() => { window.survived = true }")
    to_the_chapter(page)
    assert page.evaluate("window.survived")
    page.go_back()
    expect(page).to_have_url(home)
    expect(page.locator(".cover h1")).to_be_visible()
    assert page.evaluate("window.survived")


def test_receipts_work_after_instant_navigation(visit: Visit) -> None:
    page = visit(HOME)
    page.locator(".claim > a:visible").first.hover()
    expect(page.locator("#receipt")).to_be_visible()
    to_the_chapter(page)
    number = page.locator(".claim > a", has_text=re.compile(r"^1\.4142$")).first
    number.hover()
    expect(page.locator("#receipt")).to_be_visible()
    expect(page.locator("#receipt")).to_contain_text("scaled[2][2]")
    number.click()
    expect(page).to_have_url(re.compile(f"/{CHAPTER}$"))


def test_a_receipt_does_not_outlive_its_page(visit: Visit) -> None:
    page = visit(HOME)
    to_the_chapter(page)
    page.locator(".claim > a:visible").first.hover()
    expect(page.locator("#receipt")).to_be_visible()
    page.go_back()
    expect(page.locator(".cover h1")).to_be_visible()
    expect(page.locator("#receipt")).to_be_hidden()
