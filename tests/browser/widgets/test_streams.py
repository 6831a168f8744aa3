"""streams: who asks, who is asked, and the grid that this makes."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref import attention_weights
from tests.browser.widgets.harness import Array, Open, assign, frame, numbers, press, said

TAG = "attn-streams"
KINDS = {  # whose tokens ask, whose are asked, and whether the future is hidden
    "encoder": ("original", "original", False),
    "decoder": ("translation", "translation", True),
    "cross": ("translation", "original", False),
}


def allowed(kind: str, lengths: dict[str, int]) -> Array:
    """Which keys get a weight, by attnref."""
    asks, asked, causal = KINDS[kind]
    q, k = np.ones((lengths[asks], 2)), np.ones((lengths[asked], 2))
    return (attention_weights(q, k, causal=causal) > 0).astype(float)


def grid(widget: Locator) -> Array:
    """The grid as it is drawn: 1 for a cell, 0 for a hatched one."""
    rows = widget.locator("tbody tr:visible").all()
    cells = "tds => tds.filter(td => !td.hidden).map(td => Number(td.className !== 'masked'))"
    return np.array([row.locator("td").evaluate_all(cells) for row in rows], float)


def some(rng: np.random.Generator) -> dict[str, int]:
    return {text: int(rng.integers(1, 9)) for text in ("original", "translation")}


def test_every_grid_is_that_of_attnref(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for trial in range(30):
        kind, lengths = list(KINDS)[trial % 3], some(rng)
        query = int(rng.integers(1, 9))
        assign(widget, kind=kind, query=query, **lengths)
        wanted = allowed(kind, lengths)
        np.testing.assert_array_equal(grid(widget), wanted)
        found = numbers(widget)
        assert (found["L"], found["S"]) == wanted.shape
        assert (found["scores"], found["allowed"]) == (wanted.size, wanted.sum())
        row = min(query, len(wanted))
        told = said(widget.locator(".w-says").inner_text())
        assert told[:5] == [*wanted.shape, *wanted.shape, wanted.size]
        assert told[-2:] == [row, wanted[row - 1].sum()]
        assert (wanted.sum() in told[5:-2]) == (wanted.sum() < wanted.size)


def test_cross_attention_changes_one_length_without_the_other(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for L in range(1, 9):
        assign(widget, kind="cross", original=6, translation=L)
        assert (numbers(widget)["L"], numbers(widget)["S"]) == (L, 6)
        assert grid(widget).shape == (L, 6)
    for S in range(1, 9):
        assign(widget, original=S, translation=4)
        assert (numbers(widget)["L"], numbers(widget)["S"]) == (4, S)
        assert grid(widget).shape == (4, S)


def test_self_attention_moves_both_lengths_and_ignores_the_other_text(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for kind, own in (("encoder", "original"), ("decoder", "translation")):
        other = "translation" if own == "original" else "original"
        for n in range(1, 9):
            for ignored in (2, 7):
                assign(widget, **{"kind": kind, own: n, other: ignored})
                assert grid(widget).shape == (n, n)


def test_the_words_say_which_text_asks_and_which_is_asked(open_widget: Open) -> None:
    widget = open_widget(TAG)
    english, german = (
        ["The", "tide", "comes", "in", "late", "this"],
        ["Die", "Flut", "kommt", "heute"],
    )
    words = {"original": english, "translation": german}
    for kind, (asks, asked, _) in KINDS.items():
        assign(widget, kind=kind)
        assert widget.locator("tbody tr:visible button").all_inner_texts() == words[asks]
        columns = widget.locator("thead th:visible")
        assert columns.all_inner_texts() == words[asked]
        for text, label in zip(words, widget.locator(".w-streams label").all(), strict=True):
            role = label.locator("small").inner_text()
            made = "Q" * (text == asks) + "KV" * (text == asked)
            plain = role.replace("𝑄", "Q").replace("𝐾", "K").replace("𝑉", "V")
            assert "".join(c for c in plain if c in "QKV") == made
            assert (role == "takes no part") == (not made)
            assert label.locator("input").is_disabled() == (not made)


def test_what_stands_below_the_grid_holds_still(open_widget: Open) -> None:
    for width in (320, 1280):
        widget = open_widget(TAG, width=width)
        places = set()
        for kind in KINDS:
            for tokens in (1, 4, 8):
                assign(widget, kind=kind, original=tokens, translation=tokens)
                top = "e => Math.round(e.offsetTop - e.closest('.w-view').offsetTop)"
                places.add(widget.locator(".w-says").evaluate(top))
        assert len(places) == 1


def test_a_word_that_asks_marks_the_words_it_may_read(open_widget: Open) -> None:
    widget = open_widget(TAG)
    widget.get_by_role("button", name="Causal self-attention").click()
    frame(widget.page)
    for i, word in enumerate(["Die", "Flut", "kommt", "heute"]):
        widget.get_by_role("button", name=word, exact=True).click()
        frame(widget.page)
        assert widget.get_attribute("query") == str(i + 1)
        assert widget.locator("thead th.on:visible").count() == i + 1
        assert widget.locator("button.query[aria-pressed=true]:visible").all_inner_texts() == [word]


@pytest.mark.parametrize(
    ("preset", "L", "S", "cells"),
    [
        ("Encoder self-attention", 6, 6, 36),
        ("Causal self-attention", 4, 4, 10),
        ("Cross-attention", 4, 6, 24),
    ],
)
def test_presets_are_the_calls_of_the_page(
    open_widget: Open, preset: str, L: int, S: int, cells: int
) -> None:
    widget = open_widget(TAG)
    button = widget.get_by_role("button", name=preset, exact=True)
    button.click()
    frame(widget.page)
    found = numbers(widget)
    assert (found["L"], found["S"], found["allowed"]) == (L, S, cells)
    assert button.get_attribute("aria-pressed") == "true"


def test_sliders_and_words_move_by_keyboard(open_widget: Open) -> None:
    widget = open_widget(TAG)
    press(widget, widget.get_by_role("slider", name="tokens of the original"), "ArrowRight")
    assert widget.get_attribute("original") == "7"
    press(widget, widget.get_by_role("slider", name="tokens of the translation"), "Home")
    assert widget.get_attribute("translation") == "1"
    assign(widget, translation=4, query=2)
    widget.get_by_role("button", name="Flut").focus()
    widget.page.keyboard.press("ArrowDown")
    frame(widget.page)
    assert widget.get_attribute("query") == "3"
    for _ in range(3):
        widget.page.keyboard.press("ArrowDown")
    frame(widget.page)
    assert widget.get_attribute("query") == "4", "there is no fifth word to ask"


def test_words_work_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    widget.get_by_role("button", name="heute").tap()
    frame(widget.page)
    assert widget.get_attribute("query") == "4"
