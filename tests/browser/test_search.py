from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, HOME


def search(page: Page, words: str) -> None:
    page.locator(".md-search__input").click()
    page.keyboard.insert_text(words)
    page.keyboard.press("End")  # a key has to come up before the search begins
    expect(page.locator(".md-search-result__meta")).to_have_text(re.compile(r"matching|No "))


def test_the_index_is_loaded_when_somebody_searches(visit: Visit) -> None:
    page = visit(CHAPTER)
    loaded: list[str] = []
    page.on("response", lambda response: loaded.append(response.url))
    page.reload(wait_until="networkidle")
    assert loaded
    assert not [url for url in loaded if "search_index" in url]
    with page.expect_response("**/search_index.json"):
        page.keyboard.press("s")


def test_an_address_with_a_question_is_answered(visit: Visit) -> None:
    page = visit(f"{HOME}?q=softmax")
    expect(page.locator(".md-search-result__meta")).to_have_text(re.compile(r"matching"))


def test_the_chapter_is_found_by_what_it_is_about(visit: Visit) -> None:
    page = visit(HOME)
    search(page, "worked example")
    page.locator(f".md-search-result__link[href*='{CHAPTER}']").first.click()
    expect(page).to_have_url(re.compile(CHAPTER))


@pytest.mark.parametrize("words", ["code says", "scaled[2][2]"])
def test_the_ledger_is_not_found(chapter: Page, words: str) -> None:
    search(chapter, words)
    results = chapter.locator(".md-search-result__list")
    expect(results).not_to_contain_text("what proves them")
    expect(results).not_to_contain_text("its own sides")


def test_the_index_holds_text_alone(chapter: Page, site: str) -> None:
    index = chapter.request.get(f"{site}search/search_index.json").json()
    text = "\n".join(f"{doc['title']} {doc['text']} {doc['location']}" for doc in index["docs"])
    assert "softmax" in text
    assert "what proves them" not in text
    assert not re.search("[\ue000-\uf8ff\U000f0000-\U0010fffd]|<!--|#ledger|#n\\d", text)
