"""bug-hunt: say in a sentence what it shows."""

from __future__ import annotations

import numpy as np

from attnref import softmax
from tests.browser.widgets.harness import Open, agree, assign, numbers, press, said, shown

TAG = "attn-bug-hunt"
WEIGHTS = ".w-view td.weight"


def test_it_opens_on_the_numbers_of_the_page(open_widget: Open) -> None:
    assert shown(open_widget(TAG).locator(WEIGHTS)) == [0.8808, 0.1192]


def test_it_shows_what_attnref_gives(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for lead in range(9):
        assign(widget, lead=lead)
        weights = softmax(np.array([lead, 0.0]))
        np.testing.assert_allclose(numbers(widget)["weights"], weights, rtol=1e-12)
        agree(shown(widget.locator(WEIGHTS)), weights)
        spoken = said(widget.locator(".w-says").inner_text())
        assert spoken[0] == lead
        agree(spoken[1], weights[0])


def test_the_slider_moves_by_keyboard(open_widget: Open) -> None:
    widget = open_widget(TAG)
    press(widget, widget.get_by_role("slider", name="Ahead by"), "ArrowRight")
    assert widget.get_attribute("lead") == "3"
