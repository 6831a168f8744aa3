"""softmax-axis: along the rows every row sums to one, along the columns every column."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref import masks, softmax
from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    frame,
    numbers,
    press,
    said,
    shown,
    tenths,
    text,
)

TAG = "attn-softmax-axis"
EXAMPLE = np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 2]])  # of the running example


def judged(scores: Array, *, columns: bool = False, causal: bool = False) -> tuple[Array, Array]:
    """Exponentials and weights, by the book's reference."""
    seen = masks.causal(3) if causal else np.ones((3, 3), bool)
    logits = np.where(seen, scores / np.sqrt(2), -np.inf)
    return np.exp(logits), softmax(logits, axis=0 if columns else -1)


def put(element: Locator, scores: Array, *, columns: bool = False, causal: bool = False) -> None:
    assign(element, s=text(scores), columns=int(columns), causal=int(causal))


def weights(element: Locator) -> Array:
    return np.reshape(shown(element.locator(".w-scores button")), (3, 3))


def sums(element: Locator) -> tuple[list[float], list[float]]:
    """Of the rows, and of the columns."""
    return shown(element.locator("tbody td.sum")), shown(element.locator("tfoot td.sum"))


def random_states() -> list[tuple[Array, bool, bool]]:
    rng = np.random.default_rng(5)
    kinds = [(columns, causal) for columns in (False, True) for causal in (False, True)]
    return [(tenths(rng, (3, 3), 5), *kind) for kind in kinds for _ in range(6)]


def test_it_opens_on_the_rows_of_the_page(open_widget: Open) -> None:
    element = open_widget(TAG)
    agree(weights(element), judged(EXAMPLE)[1])
    rows, columns = sums(element)
    assert rows == [1, 1, 1]
    assert columns == [0.8471, 0.8471, 1.3057]
    fallback = element.locator(".w-fallback tbody tr").evaluate_all(
        "rows => rows.slice(0, 3).map(r => [...r.cells].slice(1, 4).map(c => c.textContent))"
    )
    np.testing.assert_array_equal(np.array(fallback, float), weights(element))


def test_along_the_columns_the_rows_of_the_example_stop_summing_to_one(open_widget: Open) -> None:
    element = open_widget(TAG)
    element.get_by_role("radio", name="columns").check()
    frame(element.page)
    assert sums(element) == ([0.8471, 0.8471, 1.3057], [1, 1, 1])
    assert said(element.locator(".w-says").inner_text()) == [1, 0.8471, 0.8471, 1.3057]


def test_it_shows_the_weights_of_attnref_for_random_scores(open_widget: Open) -> None:
    element = open_widget(TAG)
    for scores, columns, causal in random_states():
        put(element, scores, columns=columns, causal=causal)
        exps, want = judged(scores, columns=columns, causal=causal)
        found = numbers(element)
        np.testing.assert_allclose(found["weights"], want, rtol=1e-12)
        np.testing.assert_allclose(found["exps"], exps, rtol=1e-12)
        agree(weights(element), want)
        rows, below = sums(element)
        agree(rows, want.sum(1))
        agree(below, want.sum(0))
        agree(said(element.locator(".w-says").inner_text())[1:], want.sum(1 if columns else 0))


def test_along_the_rows_every_row_sums_to_one(open_widget: Open) -> None:
    element = open_widget(TAG)
    for scores, columns, causal in random_states():
        if not columns:
            put(element, scores, causal=causal)
            np.testing.assert_allclose(np.sum(numbers(element)["weights"], 1), 1, atol=1e-12)
            assert sums(element)[0] == [1, 1, 1]


def test_along_the_columns_every_column_sums_to_one(open_widget: Open) -> None:
    element = open_widget(TAG)
    for scores, columns, causal in random_states():
        if columns:
            put(element, scores, columns=True, causal=causal)
            np.testing.assert_allclose(np.sum(numbers(element)["weights"], 0), 1, atol=1e-12)
            assert sums(element)[1] == [1, 1, 1]


def test_the_last_query_reaches_the_first_row_only_along_the_columns(open_widget: Open) -> None:
    element = open_widget(TAG)
    later = EXAMPLE.copy()
    later[2] = [5, -3, 2]
    for columns in (False, True):
        put(element, EXAMPLE, columns=columns, causal=True)
        before = numbers(element)["weights"][0]
        put(element, later, columns=columns, causal=True)
        assert (numbers(element)["weights"][0] != before) == columns


@pytest.mark.parametrize("columns", [False, True])
def test_the_arithmetic_of_every_weight_is_true(open_widget: Open, columns: bool) -> None:
    element = open_widget(TAG)
    scores = np.array([[1.5, -0.5, 1], [0, 1.2, 1], [1, 2.1, -2]])
    put(element, scores, columns=columns)
    exps, want = judged(scores, columns=columns)
    for cell in range(9):
        i, j = divmod(cell, 3)
        assign(element, cell=cell + 1)
        left, _, worked, result = element.locator(".w-share > div").all_inner_texts()
        assert left.strip().endswith(f"{i + 1}{j + 1}")
        over, *under = said(worked)
        agree(over, exps[i, j])
        agree(under, exps[:, j] if columns else exps[i])
        agree(said(result), want[i, j])
        together = element.locator(".together")
        agree(shown(together), want[:, j] if columns else want[i])


def test_hidden_cells_get_zero_and_are_hatched(open_widget: Open) -> None:
    element = open_widget(TAG)
    element.get_by_role("checkbox").check()
    frame(element.page)
    hidden = element.locator(".w-scores .hidden")
    assert hidden.all_inner_texts() == ["0", "0", "0"]
    assert "repeating-linear-gradient" in hidden.first.evaluate(
        "e => getComputedStyle(e).backgroundImage"
    )


def test_scores_are_edited_and_cells_walked_by_keyboard(open_widget: Open) -> None:
    element = open_widget(TAG)
    element.locator(".w-matrix input").nth(6).focus()
    element.page.keyboard.type("−2.5")
    element.page.keyboard.press("Enter")
    frame(element.page)
    assert element.get_attribute("s") == "1,0,1;0,1,1;-2.5,1,2"
    cells = element.locator(".w-scores button")
    assert cells.evaluate_all("all => all.filter(b => b.tabIndex === 0).length") == 1
    cells.nth(8).focus()
    element.page.keyboard.press("ArrowUp")
    element.page.keyboard.press("ArrowLeft")
    frame(element.page)
    assert element.get_attribute("cell") == "5"
    press(element, element.get_by_role("radio", name="rows"), "ArrowRight")
    assert element.get_attribute("columns") == "1"


def test_a_weight_is_announced_with_its_query_and_key(open_widget: Open) -> None:
    element = open_widget(TAG)
    chosen = element.get_by_role("button", pressed=True)
    assert chosen.get_attribute("aria-label") == "weight of key 3 for query 3: 0.5035"
    element.get_by_role("button", name="weight of key 1 for query 2: 0.1978", exact=True).click()
    frame(element.page)
    assert chosen.get_attribute("aria-label") == "weight of key 1 for query 2: 0.1978"


def test_both_grids_stand_on_the_same_lines_and_no_cell_is_small(open_widget: Open) -> None:
    element = open_widget(TAG, width=1280)
    for i in range(3):
        score = element.locator(".w-matrix input").nth(3 * i).bounding_box()
        weight = element.locator(".w-scores button").nth(3 * i).bounding_box()
        assert score
        assert weight
        middles = [box["y"] + box["height"] / 2 for box in (score, weight)]
        assert middles[0] == pytest.approx(middles[1], abs=1.5)
        assert score["width"] >= 34
        assert score["height"] >= 26


def test_a_chosen_weight_looks_other_than_a_focused_one(open_widget: Open) -> None:
    element = open_widget(TAG)
    chosen = element.locator(".w-scores [aria-pressed=true]")
    outline = "e => getComputedStyle(e).outlineStyle"
    assert chosen.evaluate(outline) == "none"
    chosen.focus()
    element.page.keyboard.press("ArrowLeft")
    frame(element.page)
    assert chosen.evaluate(outline) == "solid"


def test_a_finger_picks_a_weight_and_an_axis(open_widget: Open) -> None:
    element = open_widget(TAG, has_touch=True, width=360)
    element.locator(".w-scores button").nth(3).tap()
    element.locator(".w-choice label").nth(1).tap()
    frame(element.page)
    assert (element.get_attribute("cell"), element.get_attribute("columns")) == ("4", "1")
