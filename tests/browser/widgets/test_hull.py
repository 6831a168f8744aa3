"""hull: weights sum to one and are never negative, so the output never leaves the triangle."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Locator

from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    drag,
    frame,
    glide,
    middle,
    numbers,
    press,
    said,
    shown,
    swipe,
    text,
)

TAG = "attn-hull"
V = np.array([[1.0, 0], [0, 2], [3, 1]])
CORNERS = np.vstack([V.T, np.ones(3)])


def needed(point: Array) -> Array:
    """The only weights that sum to one and lead to a point."""
    found: Array = np.linalg.solve(CORNERS, [*point, 1])
    return found


def points(count: int = 40) -> Array:
    """Tenths of the plane, inside the triangle and outside."""
    rng = np.random.default_rng(6)
    found: Array = rng.integers([-9, -11], [40, 32], (count, 2)) / 10
    return found


def in_triangle(element: Locator) -> bool:
    """Where the output is drawn."""
    found: bool = element.evaluate("""e => {
      const at = e.querySelector('.w-point.output').getAttribute('transform');
      const [x, y] = at.match(/[\\d.]+/g).map(Number);
      const hull = e.querySelector('.w-hull');
      const near = [[0, 0], [.05, 0], [-.05, 0], [0, .05], [0, -.05]]; // px, for rounding
      return near.some(([a, b]) => hull.isPointInFill(new DOMPoint(x + a, y + b)));
    }""")
    return found


def test_it_opens_on_the_mixture_of_the_page(open_widget: Open) -> None:
    element = open_widget(TAG)
    assert shown(element.locator("td.weight")) == [0.7, 0.2, 0.1, 1]
    assert said(element.locator(".w-note").inner_text())[-2:] == [1, 0.5]
    first = element.locator(".w-fallback tbody tr").first
    assert said(str(first.text_content())) == [0.7, 0.2, 0.1, 1, 0.5]


def test_weights_lead_to_the_point_that_was_asked_for(open_widget: Open) -> None:
    element = open_widget(TAG)
    inside = [p for p in points(150) if needed(p).min() > 0]
    assert len(inside) > 10
    for point in inside:
        assign(element, t=text(point))
        found = numbers(element)
        np.testing.assert_allclose(found["weights"], needed(point), atol=1e-12)
        np.testing.assert_allclose(found["output"], point, atol=1e-12)
        agree(shown(element.locator("tbody td.weight")), needed(point))
        agree(shown(element.locator("tbody td.needed")), needed(point))
        assert element.locator("td.needed.wrong").count() == 0


def test_weights_always_sum_to_one_and_none_is_negative(open_widget: Open) -> None:
    element = open_widget(TAG)
    for point in points():
        assign(element, t=text(point))
        weights = np.array(numbers(element)["weights"])
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1, abs=1e-12)
        np.testing.assert_allclose(weights @ V, numbers(element)["output"], atol=1e-12)


def test_the_output_never_leaves_the_triangle(open_widget: Open) -> None:
    element = open_widget(TAG)
    for point in points():
        assign(element, t=text(point))
        assert needed(np.array(numbers(element)["output"])).min() > -1e-12
        assert in_triangle(element)


def test_outside_it_shows_the_nearest_point_and_what_weights_it_would_take(
    open_widget: Open,
) -> None:
    element = open_widget(TAG)
    t = np.linspace(0, 1, 2001)[:, None]
    outline = np.vstack([V[a] + t * (V[b] - V[a]) for a, b in ((0, 1), (1, 2), (2, 0))])
    outside = [p for p in points() if needed(p).min() < -1e-9]
    assert len(outside) > 10
    for point in outside:
        assign(element, t=text(point))
        output = np.array(numbers(element)["output"])
        best = np.linalg.norm(outline - point, axis=1).min()
        assert np.linalg.norm(output - point) <= best + 1e-12
        wanted = needed(point)
        agree(shown(element.locator("tbody td.needed")), wanted)
        wrong = element.locator("tbody td.needed").evaluate_all(
            "all => all.map(e => e.classList.contains('wrong'))"
        )
        assert wrong == (wanted < 0).tolist()
        spoken = said(element.locator(".w-says").inner_text())
        agree(spoken, [*point, 1, *wanted, 0, *output])


def test_the_example_of_the_page_ends_on_an_edge(open_widget: Open) -> None:
    element = open_widget(TAG)
    element.get_by_role("button", name="Try to leave").click()
    frame(element.page)
    assert shown(element.locator("tbody td.needed")) == [-0.4, 0.6, 0.8]
    assert said(element.locator(".w-note").inner_text())[-2:] == [1.8, 1.4]
    assert numbers(element)["weights"][0] == 0


def test_a_slider_takes_from_the_others_in_their_proportions(open_widget: Open) -> None:
    element, rng = open_widget(TAG), np.random.default_rng(7)
    for _ in range(12):
        before = np.array(numbers(element)["weights"])
        j, x = int(rng.integers(3)), float(rng.integers(1, 100)) / 100
        element.locator("input").nth(j).fill(str(x))
        frame(element.page)
        after = np.array(numbers(element)["weights"])
        want = before * (1 - x) / (1 - before[j])
        want[j] = x
        np.testing.assert_allclose(after, want, atol=1e-9)
        assert in_triangle(element)


def test_after_a_weight_had_everything_the_others_share_alike(open_widget: Open) -> None:
    element = open_widget(TAG)
    slider = element.get_by_role("slider", name="weight 2")
    press(element, slider, "End")
    assert shown(element.locator("tbody td.weight")) == [0, 1, 0]
    press(element, slider, "ArrowLeft")
    agree(shown(element.locator("tbody td.weight")), [0.005, 0.99, 0.005])
    assert slider.get_attribute("aria-valuetext") == "0.990"


def test_the_sentence_says_where_the_output_is(open_widget: Open) -> None:
    element = open_widget(TAG)
    for t, says in (
        ("1,0.5", "inside the triangle"),
        ("0.5,1", "on an edge of the triangle"),
        ("0,2", "at a corner of the triangle"),
        ("0,0", "No weights lead to"),
    ):
        assign(element, t=t)
        assert says in element.locator(".w-says").inner_text()


def test_the_output_is_pulled_by_mouse_keyboard_and_finger(open_widget: Open) -> None:
    element = open_widget(TAG, has_touch=True)
    page, target = element.page, element.get_by_role("slider", name="where the output should go")
    press(element, target, "ArrowRight")
    press(element, target, "Shift+ArrowUp")
    assert element.get_attribute("t") == "1.1,1"
    plane = element.locator(".w-plane")
    x, y = middle(target)
    box = plane.bounding_box()
    assert box
    unit = box["width"] / 5
    drag(page, (x, y), (x + unit, y - unit))
    assert element.get_attribute("t") == "2.1,2"
    swipe(page, (x + unit, y - unit), (x + unit, y))
    assert element.get_attribute("t") == "2.1,1"


def test_a_preset_glides_there_unless_motion_is_unwelcome(open_widget: Open) -> None:
    element = open_widget(TAG)
    seen = glide(element, "t", "Try to leave")
    assert len(seen) > 3
    assert seen[-1] == "2,2"
