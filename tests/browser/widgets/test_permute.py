"""permute: which outputs come along when the tokens are shuffled."""

from __future__ import annotations

import itertools
import runpy
from typing import Any

import numpy as np
from playwright.sync_api import Locator

from attnref import attention, rope, sinusoidal
from tests.browser.website import ROOT
from tests.browser.widgets.harness import Array, Open, agree, assign, frame, numbers, said

TAG = "attn-permute"
WORDS = ["old", "dog", "chases", "young", "cat"]
N = len(WORDS)
TOY = runpy.run_path(str(ROOT / "snippets/ch00/toy.py"))["toy"]
X = np.array([[*TOY[word], 0] for word in WORDS])
ORDERS = ["".join(order) for order in itertools.permutations("12345")]
POSITIONS = ("none", "added", "turned")


def head(rows: Array, causal: bool, position: str) -> Array:
    """The outputs of a text, by attnref."""
    at = np.arange(N)
    read = rows + sinusoidal(at, 4) if position == "added" else rows
    asks = rope(read, at, layout="interleaved") if position == "turned" else read
    found: Array = attention(asks, asks, read[:, :2], causal=causal)
    return found


def every_state(widget: Locator) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    states = [
        {"order": order, "causal": causal, "position": position}
        for order in ORDERS
        for causal in (0, 1)
        for position in POSITIONS
    ]
    found = widget.evaluate("(e, states) => states.map(state => e.derive(state))", states)
    return list(zip(states, found, strict=True))


def test_in_every_state_outputs_are_those_of_attnref_and_follow_as_the_page_says(
    open_widget: Open,
) -> None:
    """Without mask and positions all follow. With the mask, those with the same tokens before."""
    for now, found in every_state(open_widget(TAG)):
        order = [int(digit) - 1 for digit in now["order"]]
        how = bool(now["causal"]), now["position"]
        before, after = head(X, *how), head(X[order], *how)
        np.testing.assert_allclose(found["before"], before, atol=1e-12)
        np.testing.assert_allclose(found["after"], after, atol=1e-12)
        gaps = np.abs(after - before[order]).max(1)
        np.testing.assert_allclose(found["moved"], gaps, atol=1e-12)
        if how == (False, "none"):
            assert found["follows"] == [True] * N
        elif how == (True, "none"):
            earlier = [set(order[:place]) == set(range(i)) for place, i in enumerate(order)]
            assert found["follows"] == earlier, now
        elif now["order"] != "12345":
            assert not all(found["follows"]), now
        assert found["follows"] == (gaps < 1e-9).tolist()


def test_it_shows_what_it_computed(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for trial in range(12):
        order = str(rng.choice(ORDERS)) if trial else "12345"
        assign(
            widget,
            order=order,
            causal=int(rng.integers(2)),
            position=str(rng.choice(POSITIONS)),
        )
        found = numbers(widget)
        outputs = [said(text) for text in widget.locator(".w-shuffle .output").all_inner_texts()]
        agree(outputs, [*found["before"], *found["after"]], 2)
        told = widget.locator(".verdict").all_inner_texts()
        assert told == ["follows" if flag else "changed" for flag in found["follows"]]
        places = widget.locator(".w-shuffle [role=listitem]:has(.verdict)")
        words = places.locator("button, .word").all_inner_texts()
        assert words == [WORDS[int(digit) - 1] for digit in order]
        names = widget.locator(".w-shuffle button").evaluate_all("b => b.map(x => x.ariaLabel)")
        assert names == [f"swap {a} with {b}" for a, b in itertools.pairwise(words)]
        dashed = "p => p.map(x => !x.classList.contains('changed'))"
        threads = widget.locator(".w-threads path")
        assert threads.evaluate_all(dashed) == found["follows"]
        starts = threads.evaluate_all("p => p.map(x => x.getPointAtLength(0).y)")
        assert starts == [46 * (int(digit) - 0.5) for digit in order]
        says, kept = widget.locator(".w-says").inner_text(), sum(found["follows"])
        if order != "12345":
            assert said(says)[-1 if kept == N else 0] == (kept or N)
            assert ("none of 5" in says) == (kept == 0)


def test_the_fallback_tells_how_many_follow_and_with_positions_none_does(
    open_widget: Open,
) -> None:
    widget = open_widget(TAG)
    lines = widget.locator(".w-fallback tbody tr td:last-child").all_text_contents()
    assert sum(numbers(widget)["follows"]) == int(lines[0]) == 5
    widget.get_by_role("checkbox", name="causal mask").check()
    frame(widget.page)
    assert sum(numbers(widget)["follows"]) == int(lines[1]) == 2
    for position in POSITIONS[1:]:
        assign(widget, causal=0, position=position)
        assert sum(numbers(widget)["follows"]) == int(lines[2]) == 0


def test_words_swap_and_choices_change_by_keyboard(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assign(widget, order="12345")
    widget.get_by_role("button", name="swap dog").press("Enter")
    frame(widget.page)
    assert widget.get_attribute("order") == "13245"
    focused = "document.activeElement.ariaLabel"
    assert widget.page.evaluate(focused) == "swap dog with young"  # the focus goes along
    widget.page.keyboard.press("Enter")
    frame(widget.page)
    assert widget.get_attribute("order") == "13425"
    widget.page.keyboard.press("Enter")
    frame(widget.page)
    assert widget.get_attribute("order") == "13452"  # dog is last: no button there
    assert widget.page.evaluate(focused) == "swap cat with dog"
    widget.get_by_role("radio", name="no positions").press("ArrowRight")
    frame(widget.page)
    assert widget.get_attribute("position") == "added"
    widget.get_by_role("button", name="Reversed").press("Enter")
    frame(widget.page)
    assert widget.get_attribute("order") == "54321"


def test_words_swap_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    widget.get_by_role("button", name="swap chases").tap()
    frame(widget.page)
    assert widget.get_attribute("order") == "13245"
