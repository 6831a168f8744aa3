"""online-softmax: a row read tile by tile, and what it carries along."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref import attention, logsumexp
from attnref.tiled import tiled_attention
from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    frame,
    numbers,
    press,
    said,
    tenths,
)

TAG = "attn-online-softmax"
ORDERS = ("given", "descending", "ascending")
TILES = (1, 2, 4, 8)


def cell(widget: Locator, row: str, column: str) -> float:
    text = widget.locator(f"[data-row={row}] [data-column={column}]").inner_text()
    return float(text.replace("−", "-").replace("∞", "inf").strip("×+ ").replace(" ", ""))


def ends(widget: Locator) -> list[float]:
    """acc / ℓ so far, and what the full row gives."""
    return said(widget.locator(".w-end").inner_text())


def sums(z: Array, v: Array, tile: int) -> tuple[float, float, float]:
    """m, ℓ and acc after these keys, by the tiled reference."""
    if not len(z):
        return -np.inf, 0, 0
    q = np.ones((1, 1))
    out, lse = tiled_attention(
        q, z[:, None], v[:, None], scale=1.0, tile=(1, tile), return_lse=True
    )
    m = z.max()
    total = exp(float(lse[0]) - m)
    return float(m), total, float(out[0, 0]) * total


def test_it_opens_on_the_numbers_of_the_page(open_widget: Open) -> None:
    widget = open_widget(TAG)
    steps = numbers(widget)["steps"]
    agree([s["m"] for s in steps[1:]], [1.1, 2.4, 2.4, 3.0])
    agree([s["l"] for s in steps[1:]], [1.5488, 1.5446, 2.1784, 2.3063])
    agree([s["acc"] for s in steps[1:]], [5.0976, 3.1240, 6.0747, 11.1123])
    assert cell(widget, "l", "now") == 1.5446
    assert ends(widget)[-1] == 4.8181


@pytest.mark.parametrize("seed", [1, 2])
def test_m_l_and_acc_are_the_reference_s_and_their_line_adds_up(
    open_widget: Open, seed: int
) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(seed)
    for turn in range(10):
        z, v = tenths(rng, 8, 4), rng.integers(-9, 10, 8).astype(float)
        order, tile = ORDERS[turn % 3], TILES[int(rng.integers(4))]
        step = int(rng.integers(1, 8 // tile + 1))
        row, vals = (",".join(map(repr, x.tolist())) for x in (z, v))
        assign(widget, z=row, v=vals, order=order, tile=tile, step=step)
        places = {"given": np.arange(8), "descending": np.argsort(-z, kind="stable")}
        z, v = (x[places.get(order, np.argsort(z, kind="stable"))] for x in (z, v))
        for tone, values, digits in (("weight", z, 1), ("value", v, 0)):
            labels = widget.locator(f".w-row text.{tone}:not(.w-name)").all_text_contents()
            agree([said(label)[0] for label in labels], values, digits)
        old, new = (sums(z[: s * tile], v[: s * tile], tile) for s in (step - 1, step))
        part = slice((step - 1) * tile, step * tile)
        e = np.exp(z[part] - new[0])
        shrink = exp(old[0] - new[0])
        for at, name in enumerate(("m", "l", "acc")):
            digits = 4 if at else 1
            agree(cell(widget, name, "now"), new[at], digits)
            if step > 1:
                agree(cell(widget, name, "before"), old[at], digits)
            if at and step > 1:
                agree(cell(widget, name, "shrink"), shrink)
        agree(cell(widget, "m", "tile"), z[part].max(), 1)
        agree(cell(widget, "l", "tile"), e.sum())
        agree(cell(widget, "acc", "tile"), e @ v[part])
        whole = attention(np.ones((1, 1)), z[:, None], v[:, None], scale=1.0)[0, 0]
        so_far, full = ends(widget)
        agree(so_far, new[2] / new[1])
        agree(full, whole)
        found = numbers(widget)["now"]
        lse = found["m"] + np.log(found["l"])
        np.testing.assert_allclose(lse, logsumexp(z[: step * tile]), rtol=1e-12)
        told = widget.locator(".w-says").inner_text()
        assert told.startswith(f"Tile {step} of {8 // tile}: ")
        assert f"{step * tile} of 8 logits read" in told
        rises = step > 1 and new[0] > old[0]
        assert ("are multiplied by" in told) == rises
        assert ("m stays" in told) == (step > 1 and not rises)


def test_every_tile_size_and_order_ends_on_the_full_row(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for order in ORDERS:
        for tile in TILES:
            assign(widget, order=order, tile=tile, step=8)
            so_far, full = ends(widget)
            assert so_far == full == 4.8181
            moves = numbers(widget)["moves"]
            if order == "descending":
                assert moves == 0, "after the first tile the maximum never moves"
            if order == "ascending":
                assert moves == 8 // tile - 1, "every later tile brings a correction"
            assert f"{moves} correction" in widget.locator(".w-says").inner_text()


def test_the_stairs_and_the_bars_show_what_was_read(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for tile, step in ((2, 0), (2, 3), (1, 8), (4, 1)):
        assign(widget, tile=tile, step=step)
        earlier = widget.locator(".w-sums tbody td:not([data-column=now])").all_inner_texts()
        blank = ("–", 9) if step == 0 else ("", 4 if step == 1 else 0)
        assert earlier.count(blank[0]) == blank[1], "what is not there yet shows no number"
        assert widget.locator(".w-row .read").count() == tile * step
        path = widget.locator(".w-stairs").get_attribute("d") or ""
        assert path.count("H") == step
        bars = widget.locator(".w-row > rect:not(.w-tile)").evaluate_all(
            "s => s.map(r => Number(r.getAttribute('y')))"
        )
        if step:
            top = min(bars[: tile * step])
            assert float(path.split("H")[-2].split("V")[-1].split(" ")[-1]) == pytest.approx(top)


def test_it_works_by_keyboard_and_its_buttons_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    read = widget.get_by_role("slider", name="tiles read")
    press(widget, read, "ArrowRight")
    assert widget.get_attribute("step") == "3"
    press(widget, widget.get_by_role("slider", name="tile size"), "ArrowRight")
    assert (widget.get_attribute("tile"), widget.get_attribute("step")) == ("4", "2")
    later = widget.get_by_role("button", name="Next tile")
    assert later.is_disabled(), "all tiles are read"
    back = widget.get_by_role("button", name="Back")
    press(widget, back, "Enter")
    assert widget.get_attribute("step") == "1"
    press(widget, later, "Enter")
    assert back.evaluate("b => b === document.activeElement"), "it leaves the focus beside it"
    widget.get_by_role("button", name="Sort descending").tap()
    frame(widget.page)
    assert widget.get_attribute("order") == "descending"
    press(widget, read, "Home")
    assert "Nothing is read yet" in widget.locator(".w-says").inner_text()
    assert back.is_disabled()
    later.tap()
    frame(widget.page)
    assert widget.get_attribute("step") == "1"
    before = widget.get_attribute("z")
    widget.get_by_role("button", name="Another row").tap()
    widget.page.wait_for_function(
        "([e, z]) => e.getAttribute('z') !== z", arg=[widget.element_handle(), before]
    )
