"""The page by keyboard alone: Tab from the top, and what the keys do where it stops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.website import PAGES

STOP = """() => {
  const node = document.activeElement;
  if (node === document.body) return null;
  const tab = node.matches('.tabbed-set > input') && node.labels[0];
  const shown = tab ? [tab, tab.parentElement]  // Material hides these inputs and shows labels
    : node.matches('.md-option') ? [node.nextElementSibling] : [node];
  const outlined = one => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  };
  return {
    what: node.outerHTML.slice(0, 160),
    widget: !!node.closest('.w-view'),  // has a test of its own: its rings are drawn
    receipt: node.matches('.claim > a, a.mark'),
    visible: shown[0].checkVisibility({opacityProperty: true, visibilityProperty: true}),
    outlined: node.matches('.md-search__input')  // opens the search, which is seen
      || shown.some(outlined),
  };
}"""


def stops(page: Page) -> Iterator[dict[str, Any]]:
    """Press Tab from where the focus is to the end of the page; what it stops at."""
    for _ in range(1000):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if not stop:
            return
        yield stop
    raise AssertionError("Tab never leaves the page")


def tab_to(page: Page, selector: str) -> None:
    """Press Tab from where the focus is until it is on what the selector names."""
    for _ in stops(page):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def opens_and_shuts(page: Page, fold: Locator, *, opened: bool = False) -> None:
    """Press both keys on the name of a fold; leaves it open."""
    inside = fold.locator(":scope > :not(summary)").first
    for key in ("Enter", "Space") if opened else ("Enter", "Space", "Enter"):
        page.keyboard.press(key)
        opened = not opened
        expect(inside).to_be_visible(visible=opened)


@pytest.mark.parametrize("where", PAGES)
def test_focus_is_seen_wherever_tab_stops(visit: Visit, where: str) -> None:
    seen = list(stops(visit(where)))
    ours = [stop for stop in seen if not stop["widget"]]
    unseen = [stop for stop in ours if not (stop["visible"] and stop["outlined"])]
    assert not unseen, "\n".join(map(str, unseen))


def test_tab_stops_at_no_receipt(chapter: Page) -> None:
    assert [stop["what"] for stop in stops(chapter) if stop["receipt"]] == []


def test_the_ledger_is_reached_from_the_colophon_and_opens(chapter: Page) -> None:
    tab_to(chapter, ".colophon a[href$='#ledger']")
    chapter.keyboard.press("Enter")
    expect(chapter).to_have_url(re.compile("#ledger$"))
    expect(chapter.locator("#ledger > summary")).to_be_in_viewport()
    expect(chapter.locator("#ledger")).to_have_attribute("open", "")  # Material's doing
    tab_to(chapter, "#ledger > summary")
    opens_and_shuts(chapter, chapter.locator("#ledger"), opened=True)
    tab_to(chapter, "#ledger td a")
    chapter.keyboard.press("Enter")
    expect(chapter).to_have_url(re.compile("#c1$"))


@pytest.mark.parametrize("fold", [".option", ".solution"])
def test_options_and_solutions_open(chapter: Page, fold: str) -> None:
    tab_to(chapter, f"{fold} > summary")
    opens_and_shuts(chapter, chapter.locator(fold).first)


def test_arrows_switch_the_code_tabs(chapter: Page) -> None:
    tab_to(chapter, ".tabbed-set > input")
    rungs = chapter.locator(".tabbed-block")
    expect(rungs.nth(0)).to_be_visible()
    chapter.keyboard.press("ArrowRight")
    expect(rungs.nth(1)).to_be_visible()
    expect(rungs.nth(0)).to_be_hidden()
    chapter.keyboard.press("ArrowLeft")
    expect(rungs.nth(0)).to_be_visible()


def test_copy_buttons_are_reached_and_say_that_they_copied(chapter: Page) -> None:
    chapter.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab_to(chapter, ".md-code__button")
    chapter.keyboard.press("Enter")
    expect(chapter.locator(".md-dialog")).to_have_text(re.compile("Copied"))
