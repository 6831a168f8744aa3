"""mask-painter by hand: presses, strokes, fingers, keys, and what is offered when."""

from __future__ import annotations

import numpy as np
import pytest

from attnref import masks
from tests.browser.widgets.harness import Open, assign, drag, frame, middle, press, swipe
from tests.browser.widgets.test_mask_painter import FIRST, TAG, by_attnref, cell, pressed


def test_a_press_toggles_one_cell_and_a_family_wipes_the_paint(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for wanted in ("2,5", "none", "2,5"):
        cell(widget, 2, 5).click()
        frame(widget.page)
        assert widget.get_attribute("painted") == wanted
    np.testing.assert_array_equal(pressed(widget), by_attnref({**FIRST, "painted": "2,5"}))
    widget.get_by_role("button", name="Window", exact=True).click()
    frame(widget.page)
    assert widget.get_attribute("painted") == "none"
    np.testing.assert_array_equal(pressed(widget), by_attnref({**FIRST, "family": "window"}))


def test_a_stroke_gives_all_its_cells_what_the_first_got_even_a_quick_one(
    open_widget: Open,
) -> None:
    widget = open_widget(TAG)
    first, last = (middle(cell(widget, 1, key)) for key in (1, 6))
    for steps in (1, 10):
        drag(widget.page, last, first, steps)
        assert pressed(widget)[0].all(), "the last key was hidden, so the stroke allows"
        np.testing.assert_array_equal(pressed(widget)[1:], masks.causal(6)[1:])
        assign(widget, painted="none")


def test_after_a_stroke_a_key_on_the_keyboard_still_toggles(open_widget: Open) -> None:
    widget = open_widget(TAG)
    cell(widget, 1, 2).hover()
    widget.page.mouse.down()
    cell(widget, 1, 4).hover()
    widget.page.mouse.up()
    frame(widget.page)
    assert pressed(widget)[0].sum() == 4
    press(widget, cell(widget, 1, 2), "Enter")
    assert pressed(widget)[0].tolist() == [True, False, True, True, False, False]


def test_cells_are_one_tab_stop_that_stays_within_the_grid(open_widget: Open) -> None:
    widget = open_widget(TAG)
    stops = "all => all.filter(b => b.tabIndex === 0).map(b => b.ariaLabel)"
    buttons = widget.locator(".w-cells button")
    assert buttons.evaluate_all(stops) == ["query 1, key 1"]
    cell(widget, 1, 1).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "Space"):
        widget.page.keyboard.press(key)
    frame(widget.page)
    assert widget.get_attribute("painted") == "3,4"
    assert buttons.evaluate_all(stops) == ["query 3, key 4"]
    for _ in range(3):
        widget.page.keyboard.press("ArrowRight")  # the sixth is the last
    assert buttons.evaluate_all(stops) == ["query 3, key 6"]
    assign(widget, s=4)
    assert buttons.evaluate_all(stops) == ["query 1, key 1"]


def test_a_finger_toggles_and_paints_along_a_row_but_scrolls_along_a_column(
    open_widget: Open,
) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    cell(widget, 3, 5).tap()
    frame(widget.page)
    assert widget.get_attribute("painted") == "3,5"
    scrolled = widget.page.evaluate("scrollY")
    swipe(widget.page, middle(cell(widget, 1, 2)), middle(cell(widget, 6, 2)))
    assert widget.page.evaluate("scrollY") < scrolled
    assert widget.get_attribute("painted") == "3,5"
    swipe(widget.page, middle(cell(widget, 1, 3)), middle(cell(widget, 1, 6)))
    assert widget.get_attribute("painted") == "3,5;1,3;1,4;1,5;1,6"


def test_a_painted_cell_is_dog_eared_and_no_gap_lies_between_cells(open_widget: Open) -> None:
    widget = open_widget(TAG, width=320)
    assign(widget, l=10, s=10, painted="4,4")
    ear = "cell => getComputedStyle(cell, '::after').content"
    assert cell(widget, 4, 4).evaluate(ear) != "none"
    assert cell(widget, 4, 5).evaluate(ear) == "none"
    left, right = (cell(widget, 4, j).bounding_box() for j in (4, 5))
    assert left
    assert right
    assert left["width"] > 22
    assert left["x"] + left["width"] == pytest.approx(right["x"], abs=0.5)


def test_sliders_move_by_keyboard_and_only_those_with_a_say_are_shown(open_widget: Open) -> None:
    widget = open_widget(TAG)
    slider = {
        name: widget.get_by_label(name, exact=True)
        for name in ("queries", "keys", "window", "length")
    }
    press(widget, slider["queries"], "ArrowRight")
    press(widget, slider["keys"], "End")
    assert (widget.get_attribute("l"), widget.get_attribute("s")) == ("7", "10")
    says = {"causal": "", "padding": "length", "document": "length", "window": "window"}
    for family, one in says.items():
        assign(widget, family=family)
        assert slider["window"].is_visible() == (one == "window")
        assert slider["length"].is_visible() == (one == "length")
        assert widget.get_by_label("and causal").is_visible() == (one == "length")
    align = widget.get_by_label("align top-left")
    for s, family, causal, moves in (
        (10, "causal", 0, 1),
        (10, "padding", 0, 0),
        (10, "padding", 1, 1),
        (7, "window", 0, 0),
    ):
        assign(widget, s=s, family=family, causal=causal)
        assert align.is_visible() == bool(moves), "where it moves nothing it is not offered"
    press(widget, slider["window"], "ArrowLeft")
    assert widget.get_attribute("w") == "2"
