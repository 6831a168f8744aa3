from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.website import PAGES

END = "() => scrollTo(0, document.documentElement.scrollHeight)"


@pytest.mark.parametrize("where", PAGES)
def test_a_page_asks_no_other_host_and_says_nothing(
    visit: Visit, noise: list[str], where: str
) -> None:
    page = visit(where)
    page.evaluate(END)
    page.wait_for_load_state("networkidle")
    assert noise == []


def test_the_guard_hears_what_a_page_must_not_do(chapter: Page, noise: list[str]) -> None:
    chapter.route("https://other.invalid/*", lambda route: route.fulfill(body="", status=200))
    chapter.evaluate("() => { console.warn('careful'); setTimeout(() => { throw Error('oh') }) }")
    chapter.evaluate("() => { new Image().src = 'https://other.invalid/star.png' }")
    for _ in range(500):
        if len(noise) < 3:
            chapter.wait_for_timeout(20)
    heard = sorted(line.partition(" (")[0] for line in noise)
    assert heard == [
        "console warning: careful",
        "page error: oh",
        "request to https://other.invalid/star.png",
    ]
    noise.clear()
