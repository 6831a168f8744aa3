from __future__ import annotations

from playwright.sync_api import Page, expect

from proofread.page import parse
from proofread.settings import load
from tests.browser.acts import unfold
from tests.browser.website import CHAPTER, PAGES, ROOT


def test_the_copy_button_copies_exactly_the_code_of_each_block(chapter: Page) -> None:
    source = PAGES[CHAPTER].read_text(encoding="utf-8")
    shown = [
        code.shown.rstrip("\n")
        for code in parse(source, f"docs/{CHAPTER}", load(ROOT)).codes
        if code.runs and code.attributes.get("source")
    ]
    chapter.context.grant_permissions(["clipboard-read", "clipboard-write"])
    unfold(chapter)
    copied = []
    for block in chapter.locator("figure.run").all():
        block.evaluate(
            """node => {  // a tab that is not chosen is not there to be clicked
              const tab = node.closest('.tabbed-block');
              if (tab) tab.parentElement.parentElement.querySelectorAll(':scope > input')[
                [...tab.parentElement.children].indexOf(tab)].click();
            }"""
        )
        chapter.evaluate("navigator.clipboard.writeText('')")
        block.locator(".md-code__button").click()
        expect(chapter.locator(".md-dialog--active")).to_be_visible()
        chapter.wait_for_function("async () => await navigator.clipboard.readText() !== ''")
        copied.append(chapter.evaluate("navigator.clipboard.readText()").rstrip("\n"))
    assert copied == shown


def test_an_output_has_no_copy_button(chapter: Page) -> None:
    assert chapter.locator(".out").count() > 0
    assert chapter.locator(".out .md-code__button").count() == 0
