"""bug-hunt: every mistake once more in NumPy, and the tests that notice it."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref import attention, attention_weights, masks
from tests.browser.widgets.harness import Array, Open, agree, assign, frame, numbers, press
from tests.browser.widgets.test_variance import sfc32

TAG = "attn-bug-hunt"
K = np.array([[1.0, 0], [0, 1], [1, 1]])
V = np.array([[1.0, 0], [0, 2], [3, 1]])
SEEN = masks.causal(3)
BUGS = ["axes", "polarity", "late", "columns", "twice", "never", "cache", "dropout", "nokey"]
TESTS = ["shape", "finite", "sums", "future", "past", "cached", "twice", "numbers"]
NOTICED = {  # by the page's own tests, on longer texts
    "none": set(),
    "axes": {"past", "cached", "numbers"},
    "polarity": {"sums", "future", "past", "numbers"},
    "late": {"sums", "future", "numbers"},
    "columns": {"sums", "future", "cached", "numbers"},
    "twice": {"numbers"},
    "never": {"numbers"},
    "cache": {"cached"},
    "nokey": {"finite", "sums", "numbers"},
}


def softmax(z: Array, axis: int = -1) -> Array:
    """Naive: a row of −∞ becomes NaN."""
    with np.errstate(invalid="ignore"):
        e = np.exp(z)
        return np.asarray(e / e.sum(axis, keepdims=True))


def masked(scaled: Array, seen: Array) -> Array:
    return np.where(seen, scaled, -np.inf)


def wrong_weights(bug: str, seed: int) -> tuple[Array, Array]:
    """What enters the softmax and what leaves it, each mistake written by itself."""
    raw, root = K @ K.T, np.sqrt(2)
    kept = np.array([1.0 if n >= 0 else 0.0 for n in sfc32(seed, 9)]).reshape(3, 3)
    first = np.tile([True, False, False], (3, 1))  # top-left, one query a step: key 1 only
    logits = {
        "axes": masked(raw / root, np.eye(3, dtype=bool)),
        "polarity": masked(raw / root, ~SEEN),
        "late": raw / root,
        "twice": masked(raw / 2, SEEN),
        "never": masked(raw, SEEN),
        "cache": masked(raw / root, first),
        "nokey": masked(raw / root, SEEN & np.array([False, True, True])),
    }.get(bug, masked(raw / root, SEEN))
    weights = softmax(logits, 0 if bug == "columns" else -1)
    if bug == "polarity":
        weights = np.nan_to_num(weights)  # as SDPA gives it: zeros
    if bug == "late":
        weights = weights * SEEN
    if bug == "dropout":
        weights = weights * kept / 0.5
    return logits, weights


def right_weights(bug: str) -> Array:
    seen = SEEN & np.array([bug != "nokey", True, True])
    return attention_weights(K, K, mask=seen)


def printed(value: float) -> str:
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "−∞"
    return str(round(value)) if abs(value - round(value)) < 1e-9 else f"{value:.4f}"


def cells(widget: Locator, label: str) -> list[list[str]]:
    """What each cell of a table shows: its number, and below it the right one if it changed."""
    table = widget.get_by_role("table", name=label, exact=True)
    return [cell.split("\n") for cell in table.locator("td:has(> span) > span").all_inner_texts()]


def test_every_number_of_every_mistake_is_that_of_numpy(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for bug, seed in [*((bug, 1) for bug in ["none", *BUGS]), ("dropout", 7), ("dropout", 999)]:
        assign(widget, bug=bug, seed=seed)
        logits, weights = wrong_weights(bug, seed)
        right = right_weights(bug)
        found = numbers(widget)
        np.testing.assert_allclose(found["wrong"]["logits"], logits, rtol=1e-12)
        np.testing.assert_allclose(found["wrong"]["weights"], weights, atol=1e-12)
        np.testing.assert_allclose(found["wrong"]["output"], weights @ V, atol=1e-12)
        np.testing.assert_allclose(found["right"]["weights"], right, atol=1e-12)
        for label, now, was in (
            ("weights", weights, right),
            ("sums of the rows of weights", weights.sum(1), right.sum(1)),
            ("outputs", weights @ V, right @ V),
        ):
            wanted = [
                [printed(a), *([] if np.isclose(a, b, atol=1e-9) else [f"≠ {printed(b)}"])]
                for a, b in zip(now.ravel(), was.ravel(), strict=True)
            ]
            assert cells(widget, label) == wanted, (bug, label)


def test_what_is_right_is_chapter_seven(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assign(widget, bug="none")
    agree(numbers(widget)["wrong"]["output"], attention(K, K, V, causal=True), 9)
    assert widget.locator(".changed").count() == 0
    assert widget.locator(".notices").count() == 0


def test_the_same_tests_notice_as_on_the_page(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for bug, noticed in NOTICED.items():
        assign(widget, bug=bug)
        marked = widget.locator("li.notices").evaluate_all("all => all.map(e => e.dataset.test)")
        assert set(marked) == noticed, bug
        assert set(numbers(widget)["passes"]) == set(TESTS)
        says = widget.locator(".w-says").inner_text()
        if bug != "none":
            assert f"{len(noticed)} of 8 tests" in says


def test_dropout_moves_with_its_seed_and_only_then(open_widget: Open) -> None:
    widget = open_widget(TAG)
    widget.get_by_role("button", name="7 dropout").click()
    frame(widget.page)
    drawn = set()
    for _ in range(8):
        weights = np.array(numbers(widget)["wrong"]["weights"])
        whole = right_weights("dropout")
        assert np.all(np.isclose(weights, 0) | np.isclose(weights, 2 * whole)), "dropped or doubled"
        drawn.add(weights.tobytes())
        press(widget, widget.get_by_role("button", name="Draw again"), "Enter")
    assert len(drawn) > 4
    assert widget.get_attribute("seed") == "9"
    widget.get_by_role("button", name="1 axes").click()
    frame(widget.page)
    assert not widget.get_by_role("button", name="Draw again").is_visible()


@pytest.mark.parametrize("bug", ["axes", "cache"])
def test_changed_cells_have_a_second_cue(open_widget: Open, bug: str) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    if bug == "cache":
        widget.get_by_role("button", name="6 cache").tap()
        frame(widget.page)
    changed = widget.locator("td.changed")
    assert changed.count() == widget.locator("td small").count() > 0
    shadow = changed.first.evaluate("e => getComputedStyle(e).boxShadow")
    assert "inset" in shadow
