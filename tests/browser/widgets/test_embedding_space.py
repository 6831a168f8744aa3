"""embedding-space: turning the view moves arrows and no cosine."""

from __future__ import annotations

import re
import runpy

import numpy as np
from playwright.sync_api import Locator

from tests.browser.website import ROOT
from tests.browser.widgets.harness import Array, Open, agree, assign, frame, numbers, said, state

TAG = "attn-embedding-space"
WORDS = ("dog", "cat", "man", "bites", "chases", "sees", "old", "young")
GROUP = np.array([0, 0, 0, 1, 1, 1, 2, 2])
SNIPPETS = ROOT / "snippets/ch00"
CENTRE, UNIT = np.array([170, 150]), 114


def rows(share: float) -> Array:
    """The table of the chapter's own programs, between its random start and its groups."""
    start = runpy.run_path(str(SNIPPETS / "lookup.py"))["table"]
    toy = runpy.run_path(str(SNIPPETS / "toy.py"))["toy"]
    assert tuple(toy) == WORDS
    found: Array = (1 - share) * start + share * np.array([toy[word] for word in WORDS])
    return found


def cosines(table: Array) -> Array:
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    found: Array = unit @ unit.T
    return found


def tips(space: Locator) -> Array:
    """Where the arrows end in the drawing, in the order of the words."""
    paths = space.evaluate("e => e.shafts.map(g => g.querySelector('.tip').getAttribute('d'))")
    ends = [re.findall(r"L(-?[\d.e-]+)[ ,](-?[\d.e-]+)", path)[1] for path in paths]
    return np.array(ends, float)


def test_its_rows_are_those_of_the_chapters_programs(open_widget: Open) -> None:
    space = open_widget(TAG)
    for share in (0.0, 1.0):
        assign(space, grouped=share)
        np.testing.assert_array_equal(numbers(space)["rows"], rows(share))


def test_it_shows_the_numbers_of_numpy_for_random_states(open_widget: Open) -> None:
    space, rng = open_widget(TAG), np.random.default_rng(1)
    start, end = rows(0), rows(1)
    for _ in range(20):
        share = float(rng.integers(0, 101)) / 100
        i, j = rng.choice(8, 2, replace=False).tolist()
        assign(space, grouped=share, first=i + 1, second=j + 1)
        table = (1 - share) * start + share * end
        dot, lengths = table[i] @ table[j], np.linalg.norm(table[[i, j]], axis=1)
        cosine = dot / lengths.prod()
        angle = np.degrees(np.arccos(cosine))
        found = numbers(space)
        np.testing.assert_allclose(found["cosine"], cosine, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(found["angle"], angle, rtol=1e-12)
        np.testing.assert_allclose(found["cosines"], cosines(table), rtol=1e-12, atol=1e-14)
        shown = said(space.locator(".w-cosine").inner_text())
        agree(shown[:5], [dot, dot, *lengths, cosine])
        agree(shown[5], angle, 1)
        spoken = said(space.locator(".w-says").inner_text())
        alike = GROUP[:, None] == GROUP
        every = cosines(table)
        lowest, highest = every[alike].min(), every[~alike].max()
        agree([spoken[0], *spoken[2:]], [cosine, lowest, highest])
        agree(spoken[1], angle, 1)


def test_turning_the_view_changes_no_cosine(open_widget: Open) -> None:
    space, rng = open_widget(TAG), np.random.default_rng(2)
    before, drawn = numbers(space), tips(space)
    for turn, tilt in rng.integers(-90, 91, (12, 2)):
        assign(space, view=f"{turn},{tilt}")
        assert numbers(space) == before, "bit by bit"
        assert not np.allclose(tips(space), drawn)


def test_the_picture_is_the_space_seen_from_far_away(open_widget: Open) -> None:
    """A rotation by NumPy, of which the drawing keeps two coordinates."""
    space, rng = open_widget(TAG), np.random.default_rng(3)
    for _ in range(8):
        turn, tilt = rng.integers(-180, 180), rng.integers(-90, 91)
        share = float(rng.integers(0, 11)) / 10
        assign(space, view=f"{turn},{tilt}", grouped=share)
        (c, s), (C, S) = ((np.cos(a), np.sin(a)) for a in np.radians([turn, tilt]))
        about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        over = np.array([[1, 0, 0], [0, S, C], [0, C, -S]])  # right, up, away
        seen = rows(share) @ (over @ about).T
        flat = CENTRE + UNIT * seen[:, :2] * [1, -1]
        np.testing.assert_allclose(tips(space), flat, atol=1e-9)
        painted = space.evaluate("e => [...e.tips.children].map(g => e.shafts.indexOf(g))")
        assert (np.diff(seen[painted, 2]) <= 1e-12).all(), "the far ones first"


def test_grouped_rows_are_closer_within_than_across_and_random_ones_are_not(
    open_widget: Open,
) -> None:
    space = open_widget(TAG)
    found = numbers(space)
    alike = GROUP[:, None] == GROUP
    every = np.array(found["cosines"])
    assert every[alike].min() > every[~alike].max()
    assert found["within"] > found["across"]
    assign(space, grouped=0)
    assert numbers(space)["within"] < numbers(space)["across"]


def test_no_row_vanishes_on_its_way() -> None:
    start, end = rows(0), rows(1)
    for share in np.linspace(0, 1, 201):
        assert np.linalg.norm((1 - share) * start + share * end, axis=1).min() > 0.25


def test_in_the_misleading_view_two_arrows_coincide_and_their_cosine_stays(
    open_widget: Open,
) -> None:
    space = open_widget(TAG)
    assign(space, first=1, second=4)
    before = numbers(space)["cosine"]
    space.get_by_role("button", name="A misleading view").click()
    frame(space.page)
    dog, bites = tips(space)[[0, 3]]
    assert np.hypot(*(dog - bites)) < 0.5
    assert numbers(space)["cosine"] == before < 0


def test_arrow_keys_turn_it_and_tokens_are_picked_in_turn(open_widget: Open) -> None:
    space = open_widget(TAG)
    view = space.get_by_role("slider", name="View of the space")
    view.press("ArrowLeft")
    view.press("Shift+ArrowUp")
    frame(space.page)
    assert space.get_attribute("view") == "20,35"
    for _ in range(6):
        view.press("Shift+ArrowUp")
    frame(space.page)
    assert space.get_attribute("view") == "20,90", "upside down is not a view"
    for word in ("sees", "old"):
        space.get_by_role("button", name=word).press("Enter")
    frame(space.page)
    assert {name: state(space)[name] for name in ("first", "second")} == {
        "first": "6",
        "second": "7",
    }
    space.get_by_role("slider", name="From random to grouped").press("Home")
    frame(space.page)
    assert space.get_attribute("grouped") == "0"


def test_a_drag_turns_it_and_a_tap_picks_a_token(open_widget: Open) -> None:
    space = open_widget(TAG)
    drawing = space.locator(".w-space")
    drawing.scroll_into_view_if_needed()
    name = space.locator(".w-word", has_text="young").bounding_box()
    assert name
    x, y = name["x"] + name["width"] / 2, name["y"] + name["height"] / 2
    mouse = space.page.mouse
    mouse.click(x, y)
    frame(space.page)
    assert state(space)["second"] == "8"
    assert state(space)["view"] == "25,20"
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 40, y + 20, steps=4)
    mouse.up()
    frame(space.page)
    assert state(space)["view"] == "45,30"
    assert state(space)["second"] == "8"
