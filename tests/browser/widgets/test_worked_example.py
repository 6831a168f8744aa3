"""worked-example: five steps, every matrix on screen, one row written out term by term."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import Locator

from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    frame,
    head,
    numbers,
    said,
    tenths,
    text,
)

TAG = "attn-worked-example"
STAGES = {"raw": 2, "scaled": 3, "masked": 4, "weights": 5, "output": 7}  # place among the matrices
KEYS, VALUES = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 0], [0, 2], [3, 1]])


def put(worked: Locator, Q: Array, K: Array, V: Array, **more: int) -> None:
    assign(worked, q=text(Q), k=text(K), v=text(V), **more)


def matrices(worked: Locator) -> dict[str, Array]:
    """The five stages as shown; a masked number is −∞."""
    tables = worked.evaluate("""e => [...e.querySelectorAll('.w-matrix')].map(m =>
      [...m.querySelectorAll('tr:not(:first-child)')].map(r =>
        [...r.querySelectorAll('td:has(span):not(.bracket)')].map(td => td.textContent)))""")
    return {
        name: np.array([[-np.inf if "∞" in c else said(c)[0] for c in row] for row in tables[at]])
        for name, at in STAGES.items()
    }


def states() -> list[tuple[Array, Array, Array]]:
    rng = np.random.default_rng(4)
    random = [(*(tenths(rng, (3, 2), 2) for _ in "QKV"),) for _ in range(20)]
    return [(KEYS, KEYS, VALUES), *random]  # type: ignore[list-item]


def test_it_shows_the_numbers_of_attnref_for_random_states(open_widget: Open) -> None:
    worked = open_widget(TAG)
    for Q, K, V in states():
        put(worked, Q, K, V, step=5)
        got = matrices(worked)
        for name, want in head(Q, K, V, causal=True).items():
            np.testing.assert_array_equal(np.isinf(got[name]), np.isinf(want))
            agree(got[name][np.isfinite(want)], want[np.isfinite(want)])
        np.testing.assert_allclose(np.sum(numbers(worked)["weights"], axis=1), 1)


def test_every_line_of_arithmetic_is_true_and_ends_in_the_number_of_the_matrix(
    open_widget: Open,
) -> None:
    worked = open_widget(TAG)
    for Q, K, V in states()[:5]:
        put(worked, Q, K, V)
        stages = head(Q, K, V, causal=True)
        for row in range(3):
            for step, want in enumerate(stages.values(), 1):
                assign(worked, step=step, row=row + 1)
                lines = worked.locator(".line").evaluate_all(
                    "lines => lines.map(l => [...l.children].map(c => c.innerText))"
                )
                total = lines[0][-1].strip("= ") if step == 4 else ""
                values = [[value_of(side, total) for side in sides] for _, *sides in lines]
                for sides in values:
                    np.testing.assert_allclose(sides, sides[-1], atol=2e-3)
                ends = [sides[-1] for sides in values[step == 4 :]]
                np.testing.assert_allclose(ends, want[row], atol=0.50001e-4)


def value_of(side: str, total: str) -> float:
    """What one side of a printed equation comes to, worked out from its printed digits."""
    signs = {"=": "", "\u00a0": " ", "−": "-", "∞": "inf", "×": "*", "÷": "/", "sum": total}
    for sign, python in signs.items():
        side = side.replace(sign, python)
    side = re.sub(r"𝑒(-?[\d.]+|-inf)", r"exp(\1)", side)
    return float(eval(side, {"exp": np.exp, "inf": np.inf}))


def test_rounding_is_explained_where_it_shows(open_widget: Open) -> None:
    worked = open_widget(TAG, "#worked-example.step=5&worked-example.row=3")
    assert said(worked.locator(".w-note").inner_text()) == [1.7588, 1.0001]
    assign(worked, row=1)
    assert worked.locator(".w-note").count() == 0


def test_the_stepper_goes_by_buttons_slider_and_arrow_keys(open_widget: Open) -> None:
    worked = open_widget(TAG)

    def step() -> int:
        frame(worked.page)
        return int(worked.get_attribute("step") or 0)

    back, forth = worked.get_by_text("Back"), worked.get_by_text("Next")
    slider = worked.get_by_label("Step", exact=True)
    assert back.is_disabled()
    forth.click()
    assert step() == 2
    slider.press("ArrowRight")
    assert step() == 3
    assert slider.get_attribute("aria-valuetext") == "3 of 5, mask"
    forth.press("ArrowRight")
    back.press("ArrowLeft")
    back.press("ArrowLeft")
    assert step() == 2
    slider.press("End")
    assert step() == 5
    assert forth.is_disabled()
    worked.get_by_role("radio").nth(1).press("ArrowDown")
    frame(worked.page)
    assert worked.get_attribute("row") == "3"


def test_cells_are_one_tab_stop_walked_by_arrows_and_edited_like_a_spreadsheet(
    open_widget: Open,
) -> None:
    worked = open_widget(TAG)
    page, cells = worked.page, worked.locator(".w-matrix.query input")
    assert cells.evaluate_all("cells => cells.filter(c => c.tabIndex === 0).length") == 1
    cells.first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):  # the edge holds
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.ariaLabel") == "queries, row 2, column 2"
    page.keyboard.type("−1,25")
    page.keyboard.press("Enter")  # keeps, and walks on
    frame(page)
    assert worked.get_attribute("q") == "1,0;0,-1.25;1,1"
    for typed, key in (("nonsense", "Escape"), ("7", "Escape"), ("", "ArrowUp"), ("no", "Tab")):
        page.keyboard.type(typed)
        page.keyboard.press(key)
    frame(page)
    kept = [cell.input_value() for cell in cells.all()]
    assert kept == ["1.00", "0.00", "0.00", "−1.25", "1.00", "1.00"]
    assert "keys" in page.evaluate("document.activeElement.ariaLabel")
    worked.get_by_text("Reset").click()
    frame(page)
    assert worked.get_attribute("q") == "1,0;0,1;1,1"


def test_a_changed_value_moves_outputs_and_no_weight(open_widget: Open) -> None:
    worked = open_widget(TAG)
    assign(worked, step=5)
    before = numbers(worked)
    assign(worked, v="1,0;0,2;9,1")
    after = numbers(worked)
    assert after["weights"] == before["weights"]
    assert after["output"][:2] == before["output"][:2]
    assert after["output"][2] != before["output"][2]


def test_stepping_moves_no_column(open_widget: Open) -> None:
    worked = open_widget(TAG)
    places = []
    for step in range(1, 6):
        assign(worked, step=step)
        boxes = [m.bounding_box() or {} for m in worked.locator(".w-matrix").all()]
        places.append([{side: round(at) for side, at in box.items()} for box in boxes])
    assert all(place == places[0] for place in places)


def test_numbers_that_a_reader_types_are_computed_with(open_widget: Open) -> None:
    """Random states through the keyboard rather than through attributes."""
    worked, rng = open_widget(TAG), np.random.default_rng(8)
    Q, K, V = KEYS.copy(), KEYS.copy(), VALUES.copy()
    inputs = {"query": Q, "key": K.T, "value": V}  # keys stand transposed
    for _ in range(12):
        tone, M = list(inputs.items())[rng.integers(3)]
        i, j = (int(rng.integers(n)) for n in M.shape)
        M[i, j] = tenths(rng, (), 3)
        cell = worked.locator(f".w-matrix.{tone} input").nth(i * M.shape[1] + j)
        cell.focus()
        worked.page.keyboard.type(str(M[i, j]))
        worked.page.keyboard.press("Enter")
    assign(worked, step=5)
    got = matrices(worked)
    for name, want in head(Q, K, V, causal=True).items():
        agree(got[name][np.isfinite(want)], want[np.isfinite(want)])


def test_a_finger_walks_the_steps_and_picks_the_row(open_widget: Open) -> None:
    worked = open_widget(TAG, has_touch=True, width=360)
    for _ in range(4):
        worked.get_by_text("Next").tap()
    worked.locator(".w-choice label").nth(2).tap()
    frame(worked.page)
    assert (worked.get_attribute("step"), worked.get_attribute("row")) == ("5", "3")
    assert said(worked.locator(".w-note").inner_text()) == [1.7588, 1.0001]
