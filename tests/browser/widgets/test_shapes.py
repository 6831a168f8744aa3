"""shapes: every axis on a slider, every array as attnref would make it."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref import attention, attention_weights
from tests.browser.widgets.harness import Array, Open, assign, frame, numbers, said

TAG = "attn-shapes"
MOST = {"b": 3, "hq": 8, "hkv": 8, "l": 12, "s": 12, "dh": 8, "dv": 8}
BOXES = {"q": "query", "k": "key", "v": "value", "a": "weight", "o": "output"}
Sizes = dict[str, int]


def inputs(sizes: Sizes) -> tuple[Array, Array, Array]:
    """Queries, keys and values of these sizes."""
    B, Hq, Hkv, L, S, D, Dv = (sizes[axis] for axis in ("b", "hq", "hkv", "l", "s", "dh", "dv"))
    return np.ones((B, Hq, L, D)), np.ones((B, Hkv, S, D)), np.ones((B, Hkv, S, Dv))


def arrays(sizes: Sizes) -> dict[str, Array]:
    """What attnref takes and makes of it, under the names of the widget's boxes."""
    q, k, v = inputs(sizes)
    return {"q": q, "k": k.mT, "v": v, "a": attention_weights(q, k), "o": attention(q, k, v)}


def some(rng: np.random.Generator) -> Sizes:
    return {axis: int(rng.integers(1, most + 1)) for axis, most in MOST.items()}


def shape_on(widget: Locator, name: str) -> tuple[int, ...]:
    """The shape that stands on a box."""
    return tuple(int(n) for n in said(widget.locator(f".w-box.{BOXES[name]} .shape").inner_text()))


def area(widget: Locator, name: str) -> tuple[float, float]:
    """The width and height of a box's first sheet, in cells."""
    found: list[float] = widget.locator(f".w-box.{BOXES[name]} .w-sheet").evaluate(
        """sheet => {
          const style = getComputedStyle(sheet), unit = parseFloat(style.getPropertyValue('--u'));
          return [parseFloat(style.width) / unit, parseFloat(style.height) / unit];
        }"""
    )
    return found[0], found[1]


def sheets(widget: Locator, name: str) -> int:
    """How many sheets a box has: the first, and a face and an edge for each behind it."""
    shadow = widget.locator(f".w-box.{BOXES[name]} .w-sheet").evaluate("s => s.style.boxShadow")
    return 1 + len(re.findall(r"var\(--(?:paper|tone)\)", shadow)) // 2


def test_every_shape_is_that_of_attnref_and_drawn_to_scale(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(40):
        sizes = some(rng)
        sizes["hkv"] = int(rng.choice([h for h in range(1, 9) if sizes["hq"] % h == 0]))
        assign(widget, **sizes)
        for name, array in arrays(sizes).items():
            assert shape_on(widget, name) == array.shape
            assert tuple(numbers(widget)["shapes"][name]) == array.shape
            assert area(widget, name) == pytest.approx(array.shape[:-3:-1], abs=0.01)
            assert sheets(widget, name) == array.shape[0] * array.shape[1]


def test_what_it_says_it_counts(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(2)
    for _ in range(30):
        sizes = some(rng) | {"b": 2, "hq": 6, "hkv": int(rng.choice([1, 2, 3, 6]))}
        assign(widget, **sizes)
        found, (_, k, v) = arrays(sizes), inputs(sizes)
        told = said(widget.locator(".w-says").inner_text().replace(",", ""))
        assert told[:2] == [sizes["l"], sizes["s"]]
        assert told[2:4] == [found["a"][0, 0].size, found["a"].size]
        assert told[-1] == k.size + v.size
        if 1 < sizes["hkv"] < 6:
            assert told[-2] == 6 / sizes["hkv"]


def test_a_pair_of_head_counts_is_refused_just_where_attnref_refuses_it(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for hq, hkv in product(range(1, 9), repeat=2):
        assign(widget, hq=hq, hkv=hkv)
        sizes = dict.fromkeys(MOST, 2) | {"hq": hq, "hkv": hkv}
        q, k, v = inputs(sizes)
        try:
            attention(q, k, v)
            reason = ""
        except ValueError as error:
            reason = str(error)
        assert numbers(widget)["refused"] == bool(reason)
        says = widget.locator(".w-says").inner_text()
        assert says.startswith("Refused") == bool(reason)
        for name in "ao":
            shape = widget.locator(f".w-box.{BOXES[name]} .shape")
            assert shape.is_visible() == (not reason)
        if reason:
            assert said(says)[:2] == [hq, hkv]
            assert said(reason)[-2:] == [hkv, hq]
            assert said(says)[2:] == [h for h in range(1, hq + 1) if hq % h == 0]


def test_fewer_key_heads_thin_keys_and_values_while_the_queries_stay(open_widget: Open) -> None:
    widget = open_widget(TAG)
    seen = {}
    for hkv in (6, 3, 2, 1):
        assign(widget, hkv=hkv)
        seen[hkv] = {name: (sheets(widget, name), area(widget, name)) for name in BOXES}
    for fewer, more in ((3, 6), (2, 3), (1, 2)):
        for name in "kv":
            assert seen[fewer][name][0] < seen[more][name][0]
            assert seen[fewer][name][1] == seen[more][name][1]
        for name in "qao":
            assert seen[fewer][name] == seen[more][name]


@pytest.mark.parametrize(
    ("preset", "L", "S", "scores"), [("Self", 6, 6, 36), ("Cross", 3, 9, 27), ("Decode", 1, 12, 12)]
)
def test_presets_are_the_three_calls_of_the_chapter(
    open_widget: Open, preset: str, L: int, S: int, scores: int
) -> None:
    widget = open_widget(TAG)
    button = widget.get_by_role("button", name=preset)
    button.click()
    frame(widget.page)
    assert (widget.get_attribute("l"), widget.get_attribute("s")) == (str(L), str(S))
    assert shape_on(widget, "a")[2:] == (L, S)
    assert numbers(widget)["scores"] == scores
    assert button.get_attribute("aria-pressed") == "true"
    assert widget.locator("button[aria-pressed=true]").count() == 1


def test_the_corner_where_keys_meet_queries_never_moves(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(3)
    corner = """e => {
      const sheet = name => e.querySelector(`.w-box.${name} .w-sheet`).getBoundingClientRect();
      const [q, k, a] = ['query', 'key', 'weight'].map(sheet), view = e.getBoundingClientRect();
      return [q.right - view.left, q.top - view.top, k.left - view.left, k.bottom - view.top,
        a.left - view.left, a.top - view.top].map(Math.round);
    }"""
    first = widget.evaluate(corner)
    for _ in range(15):
        assign(widget, **some(rng))
        assert widget.evaluate(corner) == first


def test_a_slider_moves_by_keyboard_and_marks_its_axis(open_widget: Open) -> None:
    widget = open_widget(TAG)
    keys = widget.get_by_role("slider", name="keys", exact=True)
    keys.focus()
    keys.press("ArrowRight")
    frame(widget.page)
    assert widget.get_attribute("s") == "8"
    marked = widget.locator(".shape .on")
    assert marked.evaluate_all("spans => spans.map(s => s.dataset.axis)") == ["s", "s", "s"]
    assert marked.all_inner_texts() == ["8", "8", "8"]
    keys.press("End")
    frame(widget.page)
    assert widget.get_attribute("s") == "12"
    keys.press("Tab")
    assert "s" not in widget.locator(".shape .on").evaluate_all("s => s.map(x => x.dataset.axis)")


def test_sliders_work_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    slider = widget.get_by_role("slider", name="query heads", exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box
    widget.page.touchscreen.tap(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
    frame(widget.page)
    assert widget.get_attribute("hq") == "8"
