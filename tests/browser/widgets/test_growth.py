"""growth: a grid before and after its tokens double, in cells and in bytes."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import Locator

from attnref.costs import cells, score_bytes
from tests.browser.widgets.harness import Open, assign, frame, numbers, press, said

TAG = "attn-growth"
LENGTHS = [1024 * 2**k for k in range(8)]
UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


def amount(text: str) -> int:
    """What a cell of the table says: a count, or bytes."""
    found = re.fullmatch(r"([\d,]+)(?: (\w+))?", text)
    assert found, text
    return int(found[1].replace(",", "")) * (UNITS[found[2]] if found[2] else 1)


def row(widget: Locator, name: str) -> tuple[int, int, int]:
    """Before, now, and the factor between them."""
    before, now, times = widget.locator(f"[data-row={name}] td").all_inner_texts()
    assert times.startswith("× ")
    return amount(before), amount(now), int(times[2:])


def test_it_opens_on_the_numbers_of_the_page(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assert row(widget, "tokens") == (8192, 16384, 2)
    assert row(widget, "cells") == (67_108_864, 268_435_456, 4)
    texts = widget.locator("[data-row=one] td, [data-row=all] td").all_inner_texts()
    assert texts == ["128 MiB", "512 MiB", "× 4", "4 GiB", "16 GiB", "× 4"]


def test_cells_and_bytes_are_those_that_attnref_counts(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for n in LENGTHS:
        heads = 2 ** int(rng.integers(0, 8))
        assign(widget, n=n, heads=heads)
        for place, tokens in enumerate((n // 2, n)):
            assert row(widget, "tokens")[place] == tokens
            counted = cells(tokens, tokens) if tokens < 5000 else tokens**2
            assert row(widget, "cells")[place] == counted
            assert row(widget, "one")[place] == score_bytes(tokens, tokens)
            assert row(widget, "all")[place] == score_bytes(tokens, tokens, Hq=heads)
        assert f"bytes of {heads} head" in widget.locator("[data-row=all] th").inner_text()
        told = said(widget.locator(".w-says").inner_text().replace(",", ""))
        assert told[:2] == [n // 2, n]
        assert told[4] == 4


def test_doubling_the_tokens_quadruples_the_cells_and_the_bytes(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assign(widget, n=1024)
    double = widget.get_by_role("button", name="Double")
    before = numbers(widget)["now"]
    for _ in range(7):
        double.click()
        frame(widget.page)
        now = numbers(widget)["now"]
        assert now["tokens"] == 2 * before["tokens"]
        for name in ("cells", "one", "all"):
            assert now[name] == 4 * before[name]
            assert row(widget, name)[2] == 4
        assert numbers(widget)["before"] == before, "what was now is before"
        before = now
    assert double.is_disabled()
    widget.get_by_role("button", name="Halve").click()
    frame(widget.page)
    assert widget.get_attribute("n") == "65536"


def test_more_heads_take_more_bytes_and_no_more_cells_each(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assign(widget, heads=1)
    one = numbers(widget)["now"]
    assert row(widget, "one") == row(widget, "all")
    for heads in (2, 16, 128):
        assign(widget, heads=heads)
        now = numbers(widget)["now"]
        assert (now["cells"], now["one"]) == (one["cells"], one["one"])
        assert now["all"] == heads * one["all"]


def test_the_old_grid_is_drawn_as_a_quarter_of_the_new_one(open_widget: Open) -> None:
    widget = open_widget(TAG)
    sides = "s => s.map(r => Number(r.getAttribute('width')))"
    for n in LENGTHS:
        assign(widget, n=n)
        squares = widget.locator(".w-doubling rect:not(.later)").evaluate_all(sides)
        assert len(squares) == LENGTHS.index(n) + 2
        ratios = np.divide(squares[1:], squares[:-1])
        np.testing.assert_allclose(ratios, 2)
        assert max(squares) == 240


def test_sliders_move_by_keyboard(open_widget: Open) -> None:
    widget = open_widget(TAG)
    tokens = widget.get_by_role("slider", name="tokens")
    press(widget, tokens, "ArrowRight")
    assert widget.get_attribute("n") == "32768"
    assert tokens.get_attribute("aria-valuetext") == "32,768"
    press(widget, tokens, "Home")
    assert widget.get_attribute("n") == "1024"
    press(widget, widget.get_by_role("slider", name="heads"), "End")
    assert widget.get_attribute("heads") == "128"


def test_buttons_work_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    widget.get_by_role("button", name="Double").tap()
    frame(widget.page)
    assert widget.get_attribute("n") == "32768"
