"""score-grid: every query against every key, a sum of products a cell, and its mirror."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
from playwright.sync_api import Locator

from tests.browser.website import ROOT
from tests.browser.widgets.harness import Array, Open, assign, frame, numbers, said, tenths, text

TAG = "attn-score-grid"


def program() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "snippets/ch03/project.py"))


def cells(grid: Locator) -> Array:
    found = [said(one)[0] for one in grid.locator(".w-scores button").all_text_contents()]
    return np.array(found).reshape(4, 4)


def tables(grid: Locator) -> list[list[list[float]]]:
    """The arithmetic as shown, one table a score: two vectors, their signed products, the sum."""
    read = """e => [...e.querySelectorAll('.w-products')].map(t => [...t.rows].map(r =>
      [...r.querySelectorAll('td')].map(c => c.textContent).filter(c => /\\d/.test(c))))"""
    return [[[said(cell)[0] for cell in row] for row in table] for table in grid.evaluate(read)]


def test_it_opens_on_the_scores_of_the_chapter(open_widget: Open) -> None:
    grid, want = open_widget(TAG), program()
    np.testing.assert_array_equal(cells(grid), want["scores"])
    assert said(grid.locator(".w-says").inner_text())[2:] == [1, 7, 16, 6, 6]
    assert want["negative"] == 7


def test_it_shows_the_scores_of_random_queries_and_keys(open_widget: Open) -> None:
    grid, rng = open_widget(TAG), np.random.default_rng(2)
    for _ in range(15):
        Q, K = tenths(rng, (4, 3), 2), tenths(rng, (4, 3), 2)
        i, j = (int(n) for n in rng.integers(0, 4, 2))
        assign(grid, q=text(Q), k=text(K), query=i + 1, key=j + 1, mirror=1)
        S = Q @ K.T
        np.testing.assert_allclose(cells(grid), S, atol=1e-9)
        np.testing.assert_allclose(numbers(grid)["scores"], S, atol=1e-12)
        assert numbers(grid)["negative"] == (S < -1e-12).sum()
        wanted = [(i, j)] if i == j else [(i, j), (j, i)]
        for (a, b), (q, k, terms) in zip(wanted, tables(grid), strict=True):
            np.testing.assert_allclose(q, Q[a])
            np.testing.assert_allclose(k, K[b])
            np.testing.assert_allclose(terms, [*(Q[a] * K[b]), S[a, b]], atol=1e-9)
            np.testing.assert_allclose(sum(terms[:3]), terms[3], atol=1e-9)


def test_every_score_is_a_sum_of_three_products_and_three_or_more_are_negative(
    open_widget: Open,
) -> None:
    grid, S = open_widget(TAG), program()["scores"]
    for i in range(4):
        for j in range(4):
            assign(grid, query=i + 1, key=j + 1)
            ((_, _, terms),) = tables(grid)
            assert len(terms) == 4
            assert sum(terms[:3]) == terms[3] == S[i, j]
    assert grid.locator(".negative").count() >= 3


def test_the_mirror_of_1_2_has_the_other_sign(open_widget: Open) -> None:
    grid = open_widget(TAG)
    grid.get_by_role("checkbox").check()
    frame(grid.page)
    first, second = tables(grid)
    assert (first[2][3], second[2][3]) == (1, -1)
    mirror = grid.locator(".w-scores .mirror")
    assert mirror.all_text_contents() == ["−1"]


def test_one_matrix_for_both_roles_makes_the_grid_its_own_mirror(open_widget: Open) -> None:
    grid = open_widget(TAG)
    presets = grid.get_by_role("group", name="Presets").get_by_role("button")
    presets.nth(1).click()
    frame(grid.page)
    S = cells(grid)
    np.testing.assert_array_equal(S, program()["shared"])
    np.testing.assert_array_equal(S, S.T)
    assert numbers(grid)["unequal"] == 0
    assert presets.nth(1).get_attribute("aria-pressed") == "true"
    presets.nth(0).click()
    frame(grid.page)
    np.testing.assert_array_equal(cells(grid), program()["scores"])


def test_a_sign_shows_in_more_than_its_colour(open_widget: Open) -> None:
    grid = open_widget(TAG)
    S = program()["scores"].ravel()
    for cell, s in zip(grid.locator(".w-scores button").all(), S, strict=True):
        hollow = cell.evaluate("e => getComputedStyle(e).boxShadow !== 'none'")
        assert hollow == (s < 0) == ("−" in cell.inner_text())


def test_cells_are_one_tab_stop_and_sliders_walk_the_same_grid(open_widget: Open) -> None:
    grid = open_widget(TAG)
    page, buttons = grid.page, grid.locator(".w-scores button")
    assert buttons.evaluate_all("all => all.filter(b => b.tabIndex === 0).length") == 1
    buttons.nth(1).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    frame(page)
    assert (grid.get_attribute("query"), grid.get_attribute("key")) == ("3", "4")
    query, key = grid.get_by_role("slider").all()
    assert (query.input_value(), key.input_value()) == ("3", "4")
    query.press("ArrowRight")
    key.press("Home")
    frame(page)
    assert (grid.get_attribute("query"), grid.get_attribute("key")) == ("4", "1")
    assert grid.locator("[aria-pressed=true]:not(.w-presets *)").inner_text() == "6"


def test_a_finger_picks_a_cell(open_widget: Open) -> None:
    grid = open_widget(TAG, has_touch=True, width=360)
    grid.locator(".w-scores button").nth(6).tap()
    frame(grid.page)
    assert (grid.get_attribute("query"), grid.get_attribute("key")) == ("2", "3")
