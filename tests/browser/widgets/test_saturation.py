"""saturation: multiplied scores, their weights, and the slope a (1 − a) of each."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from playwright.sync_api import Locator

from attnref import softmax
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
    shown,
    tenths,
    text,
)

TAG = "attn-saturation"
FOUR = np.array([8, 0.1, -0.3, 0.5])


def slopes(s: Array, factor: float) -> tuple[Array, Array, Array]:
    """Weights, and their slopes by their own logit and by their own score, differentiated."""
    scores = torch.tensor(s).requires_grad_()
    logits = scores * factor
    weights = softmax(logits)
    by_logit, by_score = [], []
    for j, weight in enumerate(weights):
        by_logit.append(torch.autograd.grad(weight, logits, retain_graph=True)[0][j])
        by_score.append(torch.autograd.grad(weight, scores, retain_graph=True)[0][j])
    return weights.detach().numpy(), np.array(by_logit), np.array(by_score)


def put(element: Locator, s: Array, factor: float) -> None:
    assign(element, s=text(s), by=repr(float(factor)))


def test_it_opens_on_the_raw_scores_of_the_page(open_widget: Open) -> None:
    rows = open_widget(TAG).locator(".w-slopes tbody tr")
    assert shown(rows.locator("td.raw")) == FOUR.tolist()
    assert shown(rows.locator("td.weight")) == [0.9988, 0.0004, 0.0002, 0.0006]
    assert shown(rows.first.locator("td.slope")) == [0.00117, 0.00117]


def test_divided_by_the_root_of_64_it_shows_the_scaled_numbers_of_the_page(
    open_widget: Open,
) -> None:
    element = open_widget(TAG)
    element.get_by_role("button", name="Divided by √64").click()
    frame(element.page)
    rows = element.locator(".w-slopes tbody tr")
    assert shown(rows.locator("td.logit")) == [1, 0.0125, -0.0375, 0.0625]
    assert shown(rows.locator("td.weight")) == [0.4720, 0.1758, 0.1673, 0.1849]
    assert shown(rows.first.locator("td.slope")) == [0.24922, 0.03115]


def test_it_shows_what_attnref_and_autograd_give_for_random_states(open_widget: Open) -> None:
    element, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(30):
        s, factor = tenths(rng, 4, 9), rng.integers(0, 301) / 200
        put(element, s, factor)
        weights, by_logit, by_score = slopes(s, factor)
        found = numbers(element)
        np.testing.assert_allclose(found["weights"], weights, rtol=1e-9)
        np.testing.assert_allclose(found["slopes"], by_logit, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(found["through"], by_score, rtol=1e-6, atol=1e-12)
        rows = element.locator(".w-slopes tbody tr")
        agree(shown(rows.locator("td.raw")), s, 1)
        agree(shown(rows.locator("td.logit")), s * factor)
        agree(shown(rows.locator("td.weight")), weights)
        pairs = np.reshape(shown(rows.locator("td.slope")), (4, 2))
        agree(pairs, np.stack([by_logit, by_score], -1), 5)
        spoken = said(element.locator(".w-says").inner_text())
        agree(spoken[0], factor, 3)
        agree([spoken[2]], weights[:1])
        agree(spoken[3:], [by_logit[0], by_score[0]], 5)


def test_every_weight_rides_the_curve_at_the_height_of_its_slope(open_widget: Open) -> None:
    element, rng = open_widget(TAG), np.random.default_rng(2)
    curve = element.locator(".w-curve").evaluate("c => [...c.points].map(p => [p.x, p.y])")
    (x0, y0), (x1, _), top = curve[0], curve[-1], curve[50][1]
    for _ in range(10):
        put(element, tenths(rng, 4, 9), rng.integers(0, 301) / 200)
        found = numbers(element)
        dots = element.locator(".w-dot").evaluate_all(
            "dots => dots.map(d => [Number(d.getAttribute('cx')), Number(d.getAttribute('cy'))])"
        )
        at = np.array(dots)
        np.testing.assert_allclose((at[:, 0] - x0) / (x1 - x0), found["weights"], atol=1e-9)
        height = (at[:, 1] - y0) / (top - y0) / 4
        np.testing.assert_allclose(height, found["slopes"], atol=1e-9)


def test_no_slope_by_the_logit_is_above_a_quarter_and_factor_zero_evens_out(
    open_widget: Open,
) -> None:
    element, rng = open_widget(TAG), np.random.default_rng(3)
    for _ in range(10):
        put(element, tenths(rng, 4, 9), rng.integers(0, 301) / 200)
        assert max(numbers(element)["slopes"]) <= 0.25
    element.get_by_role("button", name="All alike").click()
    frame(element.page)
    assert numbers(element)["weights"] == [0.25] * 4
    assert numbers(element)["through"] == [0] * 4


def test_the_two_gains_of_the_page(open_widget: Open) -> None:
    element = open_widget(TAG)
    raw = numbers(element)
    put(element, FOUR, 1 / 8)
    scaled = numbers(element)
    assert scaled["slopes"][0] / raw["slopes"][0] == pytest.approx(213.08, abs=0.005)
    assert scaled["through"][0] / raw["through"][0] == pytest.approx(26.635, abs=0.0005)


def test_the_slider_moves_by_keyboard(open_widget: Open) -> None:
    element = open_widget(TAG)
    slider = element.get_by_role("slider", name="Scores multiplied by")
    press(element, slider, "ArrowLeft")
    assert element.get_attribute("by") == "0.995"
    press(element, slider, "Home")
    assert element.get_attribute("by") == "0"
    press(element, slider, "End")
    assert element.get_attribute("by") == "1.5"
    assert element.locator("output").inner_text() == "1.500"


def test_a_preset_glides_there_unless_motion_is_unwelcome(open_widget: Open) -> None:
    element = open_widget(TAG)
    seen = glide(element, "by", "64")
    assert len(seen) > 3
    assert seen[-1] == "0.125"


def test_a_touch_in_the_middle_of_a_glide_leaves_nothing_halfway(open_widget: Open) -> None:
    element = open_widget(TAG)
    element.page.emulate_media(reduced_motion="no-preference")
    wanted, reached = element.evaluate(
        """async widget => {
          const { by } = widget.state;
          const frame = () => new Promise(drawn => requestAnimationFrame(drawn));
          widget.set({ by: [1.4] });
          await frame(), await frame();
          [...widget.querySelectorAll('button')].find(b => b.textContent === 'Reset').click();
          await frame(), await frame();
          widget.set({ s: [1, 2, 3, 4] });
          return [by, widget.state.by];
        }"""
    )
    assert reached == wanted
