"""mask-painter: every family, alignment and painted cell, as attnref.masks has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Locator

from attnref import masks, softmax
from tests.browser.widgets.harness import (
    Open,
    agree,
    assign,
    frame,
    numbers,
    said,
)

TAG = "attn-mask-painter"
FAMILIES = ("causal", "padding", "document", "window", "global")
FIRST = {"family": "causal", "l": 6, "s": 6, "w": 3, "length": 4, "align": "bottom-right"}
SCALED = np.array([0, 1, 1]) / np.sqrt(2)  # the running example's second query
Mask = npt.NDArray[np.bool_]
State = dict[str, Any]


def some(rng: np.random.Generator) -> State:
    """A random state; every third has as many queries as keys."""
    L, S = (int(n) for n in rng.integers(1, 11, 2))
    painted = sorted({(int(i), int(j)) for i, j in rng.integers(1, 11, (rng.integers(0, 6), 2))})
    return {
        "family": str(rng.choice(FAMILIES)),
        "l": L,
        "s": L if rng.random() < 1 / 3 else S,
        "w": int(rng.integers(1, 11)),
        "length": int(rng.integers(0, 11)),
        "causal": int(rng.integers(0, 2)),
        "align": str(rng.choice(["top-left", "bottom-right"])),
        "additive": int(rng.integers(0, 2)),
        "painted": ";".join(f"{i},{j}" for i, j in painted) or "none",
    }


def by_attnref(state: State) -> Mask:
    """The mask of a state. Aligned top-left it is a corner of the square one."""
    L, S, w, length = (state[name] for name in ("l", "s", "w", "length"))
    n = max(L, S)
    corner = (n, n) if state["align"] == "top-left" else (L, S)
    causal: Mask = masks.causal(*corner)[:L, :S]
    at = np.arange(L) + (0 if state["align"] == "top-left" else S - L)
    families = {
        "causal": causal,
        "padding": np.broadcast_to(masks.padding(np.array([length]), S)[0, 0], (L, S)),
        "document": masks.document(
            (at >= length).astype(int), (np.arange(S) >= length).astype(int)
        ),
        "window": masks.window(*corner, w - 1, 0)[:L, :S],
        "global": masks.longformer(*corner, w - 1, 0, [0])[:L, :S] & causal,
    }
    seen: Mask = families[state["family"]].copy()
    if state.get("causal") and state["family"] in ("padding", "document"):
        seen &= causal
    for i, j in pairs(state.get("painted", "none")):
        if i < L and j < S:
            seen[i, j] ^= True
    return seen


def pairs(text: str) -> list[tuple[int, int]]:
    """Painted cells, counted from 0."""
    if text == "none":
        return []
    return [(int(i) - 1, int(j) - 1) for i, j in (cell.split(",") for cell in text.split(";"))]


def cells(widget: Locator, of: str) -> list[list[Any]]:
    """Something of each cell that can be seen, row by row."""
    found: list[list[Any]] = widget.evaluate(
        """(widget, of) => {
          const rows = widget.querySelectorAll('.w-cells tbody tr:not([hidden])');
          const inside = row => row.querySelectorAll('td:not([hidden]) button');
          return [...rows].map(row => [...inside(row)].map(cell => cell[of]));
        }""",
        of,
    )
    return found


def pressed(widget: Locator) -> Mask:
    """Which cells are allowed, as a screen reader hears it."""
    return np.array(cells(widget, "ariaPressed")) == "true"


def cell(widget: Locator, i: int, j: int) -> Locator:
    """The cell of a query and a key, counted from 1."""
    return widget.get_by_role("button", name=f"query {i}, key {j}", exact=True)


def orders(widget: Locator) -> list[list[str]]:
    """The table of the two orders, without its headings: three keys, and the sums."""
    found: list[list[str]] = widget.evaluate(
        """widget => [...widget.querySelectorAll('.w-order :is(tbody, tfoot) tr')].map(row =>
          [...row.cells].slice(1).map(cell => cell.textContent))"""
    )
    return found


def test_it_opens_on_the_causal_mask_and_the_numbers_of_the_page(open_widget: Open) -> None:
    widget = open_widget(TAG)
    np.testing.assert_array_equal(pressed(widget), masks.causal(6))
    first, second, third, sums = orders(widget)
    assert [row[2:] for row in (first, second, third)] == [
        ["0.3302", "0.1978"],
        ["0.6698", "0.4011"],
        ["0.0000", "0.0000"],
    ]
    assert sums[2:] == ["1.0000", "0.5989"]
    assert widget.locator(".w-order .short").all_inner_texts() == ["0.5989"]
    assert said(widget.locator(".w-says").inner_text()) == [21, 36, 2, 0.5989]


def test_the_fallback_counts_what_each_family_shows_at_first(open_widget: Open) -> None:
    widget = open_widget(TAG)
    lines = widget.locator(".w-fallback tbody tr").all()
    assert len(lines) == len(FAMILIES)
    for family, line in zip(FAMILIES, lines, strict=True):
        assign(widget, family=family)
        found = numbers(widget)
        told = [said(text)[0] for text in line.locator("td").all_text_contents()[1:]]
        assert told == [found["count"], found["keyless"]]


def test_masks_are_those_of_attnref_in_random_states(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(60):
        state = some(rng)
        assign(widget, **state)
        want, found = by_attnref(state), numbers(widget)
        np.testing.assert_array_equal(found["allowed"], want, str(state))
        np.testing.assert_array_equal(pressed(widget), want, str(state))
        assert found["count"] == want.sum()
        assert found["keyless"] == (~want.any(1)).sum()


def test_both_forms_say_what_to_bias_says(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(2)
    for _ in range(15):
        state = some(rng)
        want = by_attnref(state)
        bias = masks.to_bias(want, np.float64)
        assign(widget, **{**state, "additive": 0})
        assert cells(widget, "textContent") == [["T" if x else "F" for x in row] for row in want]
        assign(widget, additive=1)
        assert cells(widget, "textContent") == [
            ["0" if x == 0 else "−∞" for x in row] for row in bias
        ]


def test_counts_and_the_sentence_agree_and_rows_without_a_key_are_flagged_in_words(
    open_widget: Open,
) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(3)
    for _ in range(30):
        state = some(rng)
        assign(widget, **state)
        want = by_attnref(state)
        told = widget.locator(".w-cells .count:visible").all_inner_texts()
        assert told == [str(n) if n else "none" for n in want.sum(1)]
        assert widget.locator(".keyless:visible").count() == (~want.any(1)).sum()
        says = widget.locator(".w-says").inner_text()
        assert said(says)[:2] == [want.sum(), want.size]
        lost = (~want.any(1)).sum()
        assert ("Every row has a key" in says) == (lost == 0)
        assert (f"{lost} row" in says) == (lost > 0)


def test_both_orders_are_computed_from_the_painted_second_row(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(4)
    for _ in range(40):
        state = some(rng)
        assign(widget, **state)
        if state["l"] < 2 or state["s"] < 3:
            assert numbers(widget)["example"] is None
            assert widget.locator(".w-order").is_hidden()
            assert "needs 2 queries and 3 keys" in widget.inner_text()
            continue
        assert widget.locator(".w-order").is_visible()
        row = by_attnref(state)[1, :3]
        right = softmax(np.where(row, SCALED, -np.inf))
        late = softmax(SCALED) * row
        found = numbers(widget)["example"]
        np.testing.assert_allclose(found["first"], right, rtol=1e-12)
        np.testing.assert_allclose(found["late"], late, rtol=1e-12)
        told = [line[2:] for line in orders(widget)]
        agree([said(text)[-1] for _, text in told], [*late, late.sum()])
        if row.any():
            agree([said(text)[-1] for text, _ in told], [*right, right.sum()])
        else:
            assert [text for text, _ in told] == ["—", "—", "—", "none"]
        agree([said(line[0])[-1] for line in orders(widget)[:3]], SCALED)


@pytest.mark.parametrize(("align", "first"), [("top-left", 1), ("bottom-right", 6)])
def test_with_three_queries_and_eight_keys_the_first_sees_one_or_six(
    open_widget: Open, align: str, first: int
) -> None:
    widget = open_widget(TAG)
    assign(widget, l=3, s=8)
    widget.get_by_role("checkbox", name="align top-left").set_checked(align == "top-left")
    frame(widget.page)
    assert widget.get_attribute("align") == align
    assert numbers(widget)["seen"] == [first, first + 1, first + 2]


def test_a_row_without_a_key_has_no_distribution_and_the_sentence_names_the_convention(
    open_widget: Open,
) -> None:
    widget = open_widget(TAG)
    assign(widget, painted="2,1;2,2")
    assert numbers(widget)["example"]["first"] == [0, 0, 0], "the book's convention"
    assert [row[2] for row in orders(widget)] == ["—", "—", "—", "none"]
    says = widget.locator(".w-says").inner_text()
    assert "a naive softmax gives NaN; this book, by convention, 0" in says


def test_the_sentence_says_what_has_a_say_and_counts_one_as_one(open_widget: Open) -> None:
    widget = open_widget(TAG)
    says = widget.locator(".w-says")
    for state, start in (
        ({"family": "padding", "causal": 1}, "Padding and causal: 18 of 36 cells are allowed"),
        ({"causal": 0, "length": 1, "l": 1}, "Padding: 1 of 6 cells is allowed"),
        ({"family": "causal", "align": "top-left"}, "Causal, top-left: 1 of 6 cells is allowed"),
        ({"s": 1}, "Causal: 1 of 1 cells is allowed"),
    ):
        assign(widget, **state)
        assert says.inner_text().startswith(start)
