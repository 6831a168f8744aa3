"""kv-cache: decoding step by step gives chapter 7's rows, with a cache and without."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Locator

from attnref import attention, attention_weights
from attnref.cache import Cache
from attnref.costs import cells
from tests.browser.widgets.harness import Open, agree, assign, frame, numbers, press, said

TAG = "attn-kv-cache"
K = np.array([[1, 0], [0, 1], [1, 1]], float)
V = np.array([[1, 0], [0, 2], [3, 1]], float)
WEIGHTS = attention_weights(K, K, causal=True)
OUTPUTS = attention(K, K, V, causal=True)


def matrix(widget: Locator, says: str) -> list[list[str]]:
    """The cells of a matrix that show a number, row by row."""
    found: list[list[str]] = widget.get_by_role("table", name=says, exact=True).evaluate(
        """table => [...table.rows].slice(1).map(row =>
          [...row.querySelectorAll('td:not(.bracket):not(.blank)')].map(td => td.textContent))"""
    )
    return [row for row in found if row]


def fresh(widget: Locator, says: str) -> list[int]:
    """The rows that are marked as computed in this step, from 1."""
    found: list[int] = widget.get_by_role("table", name=says, exact=True).evaluate(
        """table => [...table.rows].slice(1).flatMap((row, i) => {
          const mark = getComputedStyle(row.querySelector('th'), '::before');
          return mark.visibility === 'visible' ? [i + 1] : [];
        })"""
    )
    return found


def costs(widget: Locator, kind: str) -> list[int]:
    """Projected now and so far, scores so far, numbers kept."""
    return [int(text) for text in widget.locator(f"td[data-cache={kind}]").all_inner_texts()]


def test_every_step_gives_the_row_of_chapter_7_with_a_cache_and_without(open_widget: Open) -> None:
    widget, cache = open_widget(TAG), Cache()
    for step in (1, 2, 3):
        row = slice(step - 1, step)
        out = cache.attend(K[row], K[row], V[row])[0]
        assert cache.k is not None
        assert cache.v is not None
        for kind in ("kept", "none"):
            assign(widget, step=step, cache=kind)
            found = numbers(widget)
            np.testing.assert_allclose(found["weights"], WEIGHTS[step - 1, :step], rtol=1e-12)
            np.testing.assert_allclose(found["output"], out, rtol=1e-12, atol=1e-15)
            np.testing.assert_allclose(found["outputs"], OUTPUTS[:step], rtol=1e-12, atol=1e-15)
            assert found["kept"] == cache.k.size + cache.v.size
            told = [float(text) for (text,) in matrix(widget, "weights of this step")]
            agree(told, WEIGHTS[step - 1, :step])
            agree(np.array(matrix(widget, "outputs so far"), float), OUTPUTS[:step])
            assert fresh(widget, "weights of this step") == list(range(1, step + 1))
            says = said(widget.locator(".w-says").inner_text())
            agree(says[-2:], OUTPUTS[step - 1])
            assert says[0] == step


def test_the_cache_grows_by_a_row_and_only_that_row_is_computed(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for step in (1, 2, 3):
        assign(widget, step=step, cache="kept")
        for says, M in (("keys", K), ("values", V)):
            assert np.array(matrix(widget, says), float).tolist() == M[:step].tolist()
            assert fresh(widget, says) == [step]
        assert fresh(widget, "outputs so far") == [step]
        assign(widget, cache="none")
        for says in ("keys", "values", "outputs so far"):
            assert fresh(widget, says) == list(range(1, step + 1))


def test_the_counts_are_those_of_attnref(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for step in (1, 2, 3):
        for kind, old in (("kept", "before"), ("none", "again")):
            assign(widget, step=step, cache=kind)
            rows_ = [old] * (step - 1) + ["now"] + ["later"] * (3 - step)
            drawn = widget.locator(".w-cells > .w-triangle rect:not(.stripe)").evaluate_all(
                "all => all.map(r => r.getAttribute('class'))"
            )
            assert drawn == [row for i, row in enumerate(rows_) for _ in range(i + 1)]
            again = drawn.count("again")
            assert numbers(widget)["again"] == again
            if kind == "none":
                computed = drawn.count("now") + again
                assert computed == cells(step, step, causal=True)
                assert f"and {computed} score" in widget.locator(".w-says").inner_text()
        steps = range(1, step + 1)
        rows = sum(cells(1, t) for t in steps)
        triangles = sum(cells(t, t, causal=True) for t in steps)
        assert costs(widget, "kept") == [1, step, rows, 4 * step]
        assert costs(widget, "none") == [step, sum(steps), triangles, 0]


def test_controls_work_by_keyboard_and_by_mouse(open_widget: Open) -> None:
    widget = open_widget(TAG)
    press(widget, widget.get_by_role("slider", name="step"), "ArrowRight")
    assert widget.get_attribute("step") == "2"
    widget.get_by_role("button", name="Next token").click()
    frame(widget.page)
    assert widget.get_attribute("step") == "3"
    button = widget.get_by_role("button", name="Next token")
    assert button.get_attribute("aria-disabled") == "true"
    assert button.evaluate("e => e === document.activeElement"), "the focus stays"
    button.click(force=True)
    frame(widget.page)
    assert widget.get_attribute("step") == "3"
    press(widget, widget.get_by_role("radio", name="with a cache"), "ArrowRight")
    assert widget.get_attribute("cache") == "none"


def test_buttons_work_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    widget.get_by_role("button", name="Next token").tap()
    widget.get_by_role("radio", name="without").tap()
    frame(widget.page)
    assert (widget.get_attribute("step"), widget.get_attribute("cache")) == ("2", "none")
