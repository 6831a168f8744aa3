from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit

API = "reference/api/"
NAMES = ".md-nav--secondary a"


def test_the_list_of_sections_has_the_files_and_the_names_of_the_one_in_view(visit: Visit) -> None:
    page = visit(f"{API}#attnref.softmax")
    shown = page.locator(f"{NAMES}:visible")
    expect(shown.filter(has_text="logsumexp")).to_have_count(1)
    assert shown.filter(has_text="attnref/masks.py").count() == 1
    assert shown.filter(has_text="masks.causal").count() == 0


def test_a_parameter_moves_to_the_next_line_as_a_whole(visit: Visit) -> None:
    page = visit(API, width=360)
    heights = page.locator(".run > .signature > span").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    one_line = min(heights)
    assert max(heights) <= 2 * one_line + 1
    assert sum(height > one_line + 1 for height in heights) < len(heights) / 20
