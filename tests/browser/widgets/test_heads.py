"""heads: one width cut into heads, their slices, and what mixes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref import attention, join_heads, split_heads
from attnref.costs import attention_multiply_adds, cells, projection_weights
from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    frame,
    glide,
    numbers,
    press,
    said,
)

TAG = "attn-heads"
WIDTH, TOKENS = 24, 4
DIVISORS = [1, 2, 3, 4, 6, 8, 12, 24]


def layer(made: Any, heads: int, head: int, by: float) -> tuple[Array, Array]:
    """The joined row and the layer's output with one head's values moved, by attnref."""
    X, *W = (np.array(each) for each in made)
    q, k, v = (split_heads(X @ w, heads) for w in W[:3])
    v[head - 1] += by
    joined = join_heads(attention(q, k, v))
    return joined, joined @ W[3]


def put(widget: Locator, heads: int, head: int, by: float, mixed: int) -> dict[str, Any]:
    assign(widget, heads=heads, head=head, by=by, mixed=mixed)
    return numbers(widget)


def cost(widget: Locator, name: str) -> float:
    return said(widget.locator(f"[data-row={name}] td").first.inner_text().replace(",", ""))[0]


def marked(widget: Locator, where: str) -> list[int]:
    """The columns that the picture marks as moved."""
    marks = widget.locator(f".w-cut g.{where} circle")
    on: list[int] = marks.evaluate_all(
        "m => m.flatMap((c, i) => c.classList.contains('on') ? [i] : [])"
    )
    return on


def test_joined_rows_and_outputs_are_those_of_attnref(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for heads in DIVISORS * 2:
        head, by = int(rng.integers(1, heads + 1)), int(rng.integers(-20, 21)) / 10
        for mixed in (0, 1):
            found = put(widget, heads, head, by, mixed)
            joined, output = layer(found["made"], heads, head, by)
            np.testing.assert_allclose(found["joined"], joined, atol=1e-12)
            wanted = output if mixed else joined
            np.testing.assert_allclose(found["output"], wanted, atol=1e-12)
            says = widget.locator(".w-says").inner_text()
            told, changed = said(says), len(found["outputs"])
            assert told[:3] == [heads, WIDTH / heads, heads * TOKENS**2]
            if by == 0:
                assert says.endswith("Nothing is moved, so nothing changes.")
                continue
            assert told[3] == head
            agree(told[4], by, 1)
            assert told[5:] == ([WIDTH] if changed == WIDTH else [changed, WIDTH])
            assert (f"all {WIDTH} numbers" in says) == (changed == WIDTH)
            assert ("its own slice" in says) == (changed < WIDTH)


def test_multiply_adds_and_parameters_stay_while_cells_grow_with_the_heads(
    open_widget: Open,
) -> None:
    widget = open_widget(TAG)
    pairs = cells(TOKENS, TOKENS)
    seen = []
    for heads in DIVISORS:
        put(widget, heads, 1, 1, 1)
        D = WIDTH // heads
        assert cost(widget, "width") == D
        assert cost(widget, "adds") == attention_multiply_adds(pairs, D=D, Hq=heads)
        assert cost(widget, "parameters") == projection_weights(WIDTH, Hq=heads, D=D)
        assert cost(widget, "cells") == heads * pairs
        assert widget.locator(".w-grids i").count() == heads
        seen.append((cost(widget, "adds"), cost(widget, "parameters")))
    assert set(seen) == {(768, 2304)}
    said_so = widget.locator(".w-costs tr", has_text="unchanged")
    rows = said_so.evaluate_all("rows => rows.map(row => row.dataset.row)")
    assert rows == ["adds", "parameters"]


def test_without_w_o_a_change_in_one_head_changes_only_its_slice(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for heads in DIVISORS:
        for head in {1, (heads + 1) // 2, heads}:
            found = put(widget, heads, head, 0.7, 0)
            D = WIDTH // heads
            own = list(range((head - 1) * D, head * D))
            assert found["slices"] == found["outputs"] == own
            assert marked(widget, "joined") == marked(widget, "out") == own
            share = np.zeros(WIDTH)
            share[own] = 1
            assert found["shares"] == share.tolist()


def test_with_w_o_the_same_change_reaches_every_number(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for heads in DIVISORS:
        found = put(widget, heads, heads, 0.7, 1)
        D = WIDTH // heads
        assert found["slices"] == list(range(WIDTH - D, WIDTH))
        assert found["outputs"] == list(range(WIDTH))
        assert marked(widget, "out") == list(range(WIDTH))
        if heads > 1:
            assert 0 < min(found["shares"]) <= max(found["shares"]) < 1


def test_values_that_do_not_move_change_nothing(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for mixed in (0, 1):
        found = put(widget, 4, 2, 0, mixed)
        assert found["slices"] == found["outputs"] == []
        assert marked(widget, "joined") == marked(widget, "out") == []
        assert widget.locator(".w-cut .moved").count() == 0
        assert widget.locator(".w-says").inner_text().endswith("so nothing changes.")


def test_the_chosen_head_is_outlined_and_filled_only_if_it_moves(open_widget: Open) -> None:
    widget = open_widget(TAG)
    outline = widget.locator(".w-cut .chosen")
    for by, filled in ((0, 0), (0.7, 12)):
        put(widget, 4, 3, by, 1)
        box = outline.evaluate("p => { const b = p.getBBox(); return [b.y - 20, b.height] }")
        assert box == [120, 60], "the third quarter of 240 px"
        assert widget.locator(".w-cut .moved").count() == filled
        label = widget.locator(".w-cut text", has_text="share of each number")
        assert said(str(label.text_content())) == [3]


def test_each_bar_is_the_moved_head_s_part_of_its_number(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for heads, head in ((4, 2), (6, 5), (2, 1)):
        found = put(widget, heads, head, 1, 1)
        W_O, D = np.array(found["made"][4]), WIDTH // heads
        row = np.array(found["joined"])[-1]
        parts = np.abs((row[:, None] * W_O).reshape(heads, D, WIDTH).sum(1))
        shares = parts[head - 1] / parts.sum(0)
        np.testing.assert_allclose(found["shares"], shares, atol=1e-9)
        heights = widget.locator(".w-cut rect.share").evaluate_all(
            "r => r.map(x => Number(x.getAttribute('height')))"
        )
        np.testing.assert_allclose(np.array(heights) / 40, shares, atol=1e-9)


def test_a_head_that_is_not_there_is_taken_for_the_last_one(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assert put(widget, 3, 24, 1, 1)["moved"] == 2
    assert widget.get_by_role("slider", name="head to move").input_value() == "3"


def test_controls_work_by_keyboard(open_widget: Open) -> None:
    widget = open_widget(TAG)
    press(widget, widget.get_by_role("slider", name="heads", exact=True), "ArrowRight")
    assert widget.get_attribute("heads") == "6"
    press(widget, widget.get_by_role("slider", name="head to move"), "End")
    assert widget.get_attribute("head") == "6"
    press(widget, widget.get_by_role("slider", name="values moved by"), "ArrowLeft")
    assert widget.get_attribute("by") == "0.9"
    press(widget, widget.get_by_role("checkbox"), " ")
    assert widget.get_attribute("mixed") == "0"


def test_reset_glides_the_values_back_unless_motion_is_unwelcome(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assign(widget, by=-1)
    seen = glide(widget, "by", "Reset")
    assert len(seen) > 3
    assert float(seen[-1]) == pytest.approx(1)


def test_the_checkbox_works_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    widget.get_by_role("checkbox").tap()
    frame(widget.page)
    assert widget.get_attribute("mixed") == "0"
