"""fan: one vector, three projections, and the column behind each number that comes out."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
from playwright.sync_api import Locator

from tests.browser.website import ROOT
from tests.browser.widgets.harness import Array, Open, assign, frame, numbers, said, tenths, text

TAG = "attn-fan"
SNIPPET = ROOT / "snippets/ch03/project.py"


def weights() -> list[Array]:
    program: dict[str, Any] = runpy.run_path(str(SNIPPET))
    return [program[name].astype(float) for name in ("W_Q", "W_K", "W_V")]


def texts(locator: Locator) -> list[float]:
    return [said(one)[-1] for one in locator.all_text_contents()]


def table(fan: Locator) -> dict[str, list[float]]:
    """The arithmetic as shown: both vectors, their products and the sum."""
    rows = fan.locator(".w-products tr")
    x, column, terms = (texts(row.locator("td:not(.end)")) for row in rows.all())
    return {"x": x, "column": column, "terms": terms, "sum": texts(fan.locator(".end b"))}


def test_it_has_the_matrices_and_the_first_token_of_the_chapter(open_widget: Open) -> None:
    fan = open_widget(TAG)
    for matrix, want in zip(fan.locator(".w-role table").all(), weights(), strict=True):
        shown = texts(matrix.locator("td:not(.bracket):has(span)"))
        np.testing.assert_array_equal(shown, want.ravel())
    X = runpy.run_path(str(SNIPPET))["X"]
    assert fan.get_attribute("x") == text(X)
    assert table(fan)["terms"] == (X[0] * weights()[0][:, 0]).tolist()


def test_it_shows_x_times_w_for_random_states_and_every_column(open_widget: Open) -> None:
    fan, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(12):
        X, token = tenths(rng, (4, 5), 3), int(rng.integers(1, 5))
        x, want = X[token - 1], [X[token - 1] @ W for W in weights()]
        columns = np.hstack(weights()).T
        assign(fan, x=text(X), token=token)
        for got, exact in zip(numbers(fan)["roles"], want, strict=True):
            np.testing.assert_allclose(got, exact, atol=1e-12)
        below = texts(fan.locator(".w-entries button"))
        np.testing.assert_allclose(below, np.hstack(want), atol=1e-9)
        for entry in rng.choice(8, 3, replace=False):
            assign(fan, entry=int(entry) + 1)
            got = table(fan)
            np.testing.assert_allclose(got["x"], x)
            np.testing.assert_allclose(got["column"], columns[entry])
            np.testing.assert_allclose(got["terms"], x * columns[entry], atol=1e-9)
            np.testing.assert_allclose(sum(got["terms"]), got["sum"][0], atol=1e-9)
            np.testing.assert_allclose(got["sum"], x @ columns[entry], atol=1e-9)
        spoken = said(fan.locator(".w-says").inner_text())
        np.testing.assert_allclose(spoken[1:9], np.hstack(want), atol=1e-9)


def test_a_number_stands_below_the_column_it_is_made_of(open_widget: Open) -> None:
    for width in (360, 1280):
        fan = open_widget(TAG, width=width)
        for entry in range(1, 9):
            assign(fan, entry=entry)
            hot = fan.locator(".w-role .hot")
            assert hot.count() == 5
            above = hot.first.bounding_box()
            below = fan.locator(".w-entries .on").bounding_box()
            assert above
            assert below
            assert abs(above["x"] - below["x"]) < 1.5
            assert abs(above["width"] - below["width"]) < 1.5


def test_another_token_changes_no_role_of_this_one(open_widget: Open) -> None:
    fan = open_widget(TAG)
    before = numbers(fan)
    assign(fan, x="1,0,2,-1,1;9,9,9,9,9;-3,1,0,1,-1;5,-1,1,0,1")
    assert numbers(fan) == before


def test_a_column_under_the_pointer_shows_its_arithmetic_and_a_press_keeps_it(
    open_widget: Open,
) -> None:
    fan = open_widget(TAG)
    cell = fan.locator(".w-role.key td:has(> span)").nth(4)  # row 2, column 2
    wanted = weights()[1][:, 1].tolist()
    cell.hover()
    assert table(fan)["column"] == wanted
    assert fan.get_attribute("entry") == "1"
    fan.locator("header").hover()
    assert table(fan)["column"] == weights()[0][:, 0].tolist()
    cell.click()
    frame(fan.page)
    fan.locator("header").hover()
    assert fan.get_attribute("entry") == "5"
    assert table(fan)["column"] == wanted


def test_everything_goes_by_keyboard(open_widget: Open) -> None:
    fan = open_widget(TAG)
    page, entries = fan.page, fan.locator(".w-entries button")
    assert entries.evaluate_all("all => all.filter(b => b.tabIndex === 0).length") == 1
    fan.get_by_role("radio").first.press("ArrowDown")
    entries.first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    frame(page)
    assert (fan.get_attribute("token"), fan.get_attribute("entry")) == ("2", "4")
    fan.locator(".w-fan input").nth(1).focus()
    page.keyboard.type("−0,5")
    page.keyboard.press("Enter")
    frame(page)
    assert fan.get_attribute("x") == "1,0,2,-1,1;0,-0.5,-1,1,2;2,1,0,1,-1;1,-1,1,0,1"
