"""word-order: a bag of rows does not know their order, until positions are added."""

from __future__ import annotations

import runpy
from itertools import product
from typing import Any

import numpy as np
from playwright.sync_api import Locator

from attnref import sinusoidal
from tests.browser.website import ROOT
from tests.browser.widgets.harness import Open, agree, assign, frame, numbers, said, state

TAG = "attn-word-order"
SENTENCES = ("dog bites man", "old dog chases young cat", "young man sees old man")
TOY = runpy.run_path(str(ROOT / "snippets/ch00/toy.py"))["toy"]


def bag(words: list[str], position: int) -> list[list[float]]:
    X = np.array([[*TOY[word], 0] for word in words])
    if position:
        X = X + sinusoidal(np.arange(len(words)), 4)
    return sorted(X.tolist())


def exchange(words: list[str], first: int, second: int) -> list[str]:
    i, j = (min(place, len(words)) - 1 for place in (first, second))
    swapped = list(words)
    swapped[i], swapped[j] = words[j], words[i]
    return swapped


def every_state(order: Locator) -> list[tuple[dict[str, int], dict[str, Any]]]:
    names = ("sentence", "first", "second", "position")
    states = [
        dict(zip(names, values, strict=True))
        for values in product((1, 2, 3), range(1, 6), range(1, 6), (0, 1))
    ]
    found = order.evaluate("(e, states) => states.map(state => e.derive(state))", states)
    return list(zip(states, found, strict=True))


def test_its_bags_are_those_of_numpy_in_every_state(open_widget: Open) -> None:
    for now, found in every_state(open_widget(TAG)):
        words = SENTENCES[now["sentence"] - 1].split()
        texts = [words, exchange(words, now["first"], now["second"])]
        assert [found["words"], found["swapped"]] == texts
        for shown, text in zip(found["bags"], texts, strict=True):
            np.testing.assert_allclose(sorted(shown), bag(text, now["position"]), atol=1e-15)


def test_without_position_the_bags_are_equal_and_with_position_they_are_not(
    open_widget: Open,
) -> None:
    """Unless a word is exchanged with itself, when the sentences are the same too."""
    differing = 0
    for now, found in every_state(open_widget(TAG)):
        first, second = (sorted(rows) for rows in found["bags"])
        alone = [row for row in found["rows"] if row["from"] < 0 or row["to"] < 0]
        if now["position"] and found["words"] != found["swapped"]:
            differing += 1
            assert first != second
            assert len(alone) == 4, "two rows gone, two rows new"
        else:
            assert first == second
            assert not alone
    assert differing > 40


def test_each_row_is_joined_to_the_words_that_have_it(open_widget: Open) -> None:
    for _, found in every_state(open_widget(TAG)):
        for side, name in enumerate(("from", "to")):
            places = [row[name] for row in found["rows"] if row[name] >= 0]
            assert sorted(places) == list(range(len(found["words"])))
            for row in found["rows"]:
                if row[name] >= 0:
                    assert found["bags"][side][row[name]] == row["vector"]


def test_it_shows_what_it_computed(open_widget: Open) -> None:
    order, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(10):
        first, second = (rng.choice(5, 2, replace=False) + 1).tolist()
        position = int(rng.integers(0, 2))
        now = {"sentence": int(rng.integers(1, 4)), "first": first, "second": second}
        assign(order, **now, position=position)
        rows = numbers(order)["rows"]
        shown = [said(row) for row in order.locator(".w-bag tr").all_inner_texts()]
        agree([row[:4] for row in shown], [row["vector"] for row in rows], 2)
        sides = [sum(row[name] >= 0 for row in rows) for name in ("from", "to")]
        threads = order.locator(".w-threads")
        assert [threads.nth(side).locator("path").count() for side in (0, 1)] == sides
        alone = [row["from"] < 0 or row["to"] < 0 for row in rows]
        marked = "rows => rows.map(row => row.classList.contains('alone'))"
        assert order.locator(".w-bag tr").evaluate_all(marked) == alone
        says = order.locator(".w-says").inner_text()
        assert ("the bags differ" in says) == any(alone)


def test_words_and_position_are_set_by_keyboard(open_widget: Open) -> None:
    order = open_widget(TAG)
    word = order.get_by_role("button", name="bites", exact=True)
    word.press("Enter")
    frame(order.page)
    assert (state(order)["first"], state(order)["second"]) == ("3", "2")
    assert order.locator("[aria-label='After the swap']").inner_text().split() == [
        "dog",
        "man",
        "bites",
    ]
    box = order.get_by_role("checkbox")
    box.press("Space")
    frame(order.page)
    assert state(order)["position"] == "1"
    assert box.is_checked()
