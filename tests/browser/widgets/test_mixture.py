"""mixture: keys decide and values are delivered."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Locator

from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    drag,
    frame,
    glide,
    head,
    middle,
    numbers,
    said,
    shown,
    swipe,
    tenths,
    text,
)

TAG = "attn-mixture"
PAIRS = (1, 2, 3)


def put(mixture: Locator, q: Array, K: Array, V: Array) -> None:
    keys = {f"k{j}": text(K[j - 1]) for j in PAIRS}
    assign(mixture, q=text(q), **keys, **{f"v{j}": text(V[j - 1]) for j in PAIRS})


def test_it_opens_on_the_third_token_of_chapter_7(open_widget: Open) -> None:
    rows = open_widget(TAG).locator("tbody tr")
    assert shown(rows.locator(".raw")) == [1, 1, 2]
    assert shown(rows.locator("td.weight:not(.strong)")) == [0.7071, 0.7071, 1.4142]
    assert shown(rows.locator(".exp")) == [2.0281, 2.0281, 4.1133]
    assert shown(rows.locator(".strong")) == [0.2483, 0.2483, 0.5035]


def test_it_shows_the_numbers_of_attnref_for_random_states(open_widget: Open) -> None:
    mixture, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(30):
        q, K, V = tenths(rng, 2, 2), tenths(rng, (3, 2), 2), tenths(rng, (3, 2), 3)
        put(mixture, q, K, V)
        want = {name: rows[0] for name, rows in head(q[None], K, V).items()}
        rows = mixture.locator("tbody tr")
        agree(shown(rows.locator(".raw")), want["raw"], 2)
        agree(shown(rows.locator("td.weight:not(.strong)")), want["scaled"])
        agree(shown(rows.locator(".strong")), want["weights"])
        agree(said(mixture.locator("tfoot td.output").inner_text()), want["output"])
        spoken = said(mixture.locator(".w-says").inner_text())
        agree(spoken, [*want["weights"], *want["output"]])
        np.testing.assert_allclose(numbers(mixture)["exps"], np.exp(want["scaled"]))


def test_moving_a_value_leaves_every_weight_bit_identical(open_widget: Open) -> None:
    mixture, rng = open_widget(TAG), np.random.default_rng(2)
    for _ in range(8):
        assign(mixture, q=text(tenths(rng, 2, 2)), k2=text(tenths(rng, 2, 2)))
        before = numbers(mixture)["weights"]
        for name in ("value 1", "value 2", "value 3"):
            mixture.page.get_by_role("slider", name=name).press("ArrowUp")
        frame(mixture.page)
        after = numbers(mixture)["weights"]
        assert [float(w).hex() for w in after] == [float(w).hex() for w in before]


def test_moving_the_query_or_a_key_leaves_the_triangle(open_widget: Open) -> None:
    mixture, rng = open_widget(TAG), np.random.default_rng(3)
    hull = mixture.locator(".w-hull")
    before = hull.get_attribute("points")
    for _ in range(12):
        assign(mixture, q=text(tenths(rng, 2, 2)), k1=text(tenths(rng, 2, 2)))
        assert hull.get_attribute("points") == before


def test_the_output_never_leaves_the_triangle(open_widget: Open) -> None:
    """Nor does the way that it takes when the query is stretched or turned round."""
    mixture, rng = open_widget(TAG), np.random.default_rng(8)
    for _ in range(20):
        V = tenths(rng, (3, 2), 1) + np.array([[0, 0], [2, 0], [1, 2]])  # never on one line
        put(mixture, tenths(rng, 2, 2), tenths(rng, (3, 2), 2), V)
        found = numbers(mixture)
        points = np.array([found["output"], *found["walk"]])
        homogeneous = np.hstack([points, np.ones((len(points), 1))])
        share = np.linalg.solve(np.vstack([V.T, np.ones(3)]), homogeneous.T)
        assert share[:, 0].min() > 0
        assert share.min() > -1e-12
        assert mixture.evaluate("""e => {
          const at = e.querySelector('.w-point.output').getAttribute('transform');
          const [x, y] = at.match(/[\\d.]+/g);
          return e.querySelector('.w-hull').isPointInFill(new DOMPoint(x, y));
        }""")


def test_the_walk_is_where_attnref_puts_multiples_of_the_query(open_widget: Open) -> None:
    mixture, rng = open_widget(TAG), np.random.default_rng(9)
    strides = np.sinh((np.arange(61) - 30) / 7)
    for _ in range(6):
        q, K, V = tenths(rng, 2, 2), tenths(rng, (3, 2), 2), tenths(rng, (3, 2), 3)
        put(mixture, q, K, V)
        want = head(strides[:, None] * q, K, V)["output"]
        np.testing.assert_allclose(numbers(mixture)["walk"], want, atol=1e-12)
        drawn = said(str(mixture.locator(".w-walk").get_attribute("points")))
        np.testing.assert_allclose(
            np.reshape(drawn, (-1, 2)) / 66, want * [1, -1] + [1, 3.2], atol=1e-9
        )


def test_a_longer_query_walks_on_towards_the_value_of_the_best_key(open_widget: Open) -> None:
    mixture = open_widget(TAG)
    walk = np.array(numbers(mixture)["walk"])
    np.testing.assert_allclose(walk[30], np.mean([[1, 0], [0, 2], [3, 1]], axis=0))
    gaps = np.linalg.norm(walk - [3, 1], axis=1)
    assert (np.diff(gaps) < 0).all()
    assert gaps[-1] < 1e-6


def test_the_preset_brings_chapter_7_s_third_token_back(open_widget: Open) -> None:
    mixture, rng = open_widget(TAG), np.random.default_rng(10)
    Q = np.array([[1, 0], [0, 1], [1, 1]], float)
    V = np.array([[1, 0], [0, 2], [3, 1]], float)
    third = {name: rows[2] for name, rows in head(Q, Q, V, causal=True).items()}
    put(mixture, tenths(rng, 2, 2), tenths(rng, (3, 2), 2), tenths(rng, (3, 2), 3))
    preset = mixture.get_by_role("button", name="third token")
    assert preset.get_attribute("aria-pressed") == "false"
    preset.click()
    frame(mixture.page)
    assert preset.get_attribute("aria-pressed") == "true"
    np.testing.assert_allclose(numbers(mixture)["weights"], third["weights"], rtol=1e-14)
    np.testing.assert_allclose(numbers(mixture)["output"], third["output"], rtol=1e-14)


def test_another_value_leaves_the_weights_and_another_query_the_values(open_widget: Open) -> None:
    mixture = open_widget(TAG)
    before, rows = numbers(mixture), mixture.locator("tbody td.value")
    values = rows.all_inner_texts()
    mixture.get_by_role("button", name="Twice the query").click()
    frame(mixture.page)
    assert rows.all_inner_texts() == values
    agree(numbers(mixture)["output"], [2.1821, 1])  # as the chapter says
    mixture.get_by_role("button", name="third token").click()
    mixture.get_by_role("button", name="Another").click()
    frame(mixture.page)
    assert numbers(mixture)["weights"] == before["weights"]
    agree(numbers(mixture)["output"], [2.2552, 1.2483])  # as the chapter says


def test_the_sentence_says_which_keys_answer_best(open_widget: Open) -> None:
    mixture = open_widget(TAG)
    for q, says in [
        ("1,1", "The third key answers best"),
        ("-1,-1", "The first and second keys answer best"),
        ("0,2", "The second and third keys answer best"),
        ("2,-0.1", "The first key answers best"),
        ("0,0", "All keys answer alike"),
    ]:
        assign(mixture, q=q)
        assert mixture.locator(".w-says").inner_text().startswith(f"{says}: weights")


def test_points_move_by_keyboard_and_stop_at_the_edge(open_widget: Open) -> None:
    mixture = open_widget(TAG)
    query = mixture.page.get_by_role("slider", name="query q")
    query.press("ArrowLeft")
    query.press("Shift+ArrowUp")
    frame(mixture.page)
    assert str(query.get_attribute("aria-valuetext")).replace("\u00a0", " ") == "[0.9, 1.5]"
    for _ in range(30):
        query.press("Shift+ArrowRight")
    frame(mixture.page)
    assert mixture.get_attribute("q") == "2.4,1.5"


def test_points_move_by_mouse(open_widget: Open) -> None:
    mixture = open_widget(TAG)
    x, y = middle(mixture.locator(".w-point.value rect").first)
    plane = mixture.locator(".w-plane").first.bounding_box()
    assert plane
    unit = plane["width"] / 5
    drag(mixture.page, (x, y), (x + unit, y - unit))
    assert mixture.get_attribute("v1") == "2,1"


def test_a_finger_on_a_point_drags_it_and_does_not_scroll(open_widget: Open) -> None:
    mixture = open_widget(TAG, has_touch=True, width=360)
    page, handle = mixture.page, mixture.locator(".w-point.key").first
    x, y = middle(handle)
    scrolled = page.evaluate("scrollY")
    plane = mixture.locator(".w-plane").first.bounding_box()
    assert plane
    swipe(page, (x, y), (x, y + plane["width"] / 5))
    assert mixture.get_attribute("k1") == "1,-1"
    assert page.evaluate("scrollY") == scrolled


def test_when_query_and_key_coincide_a_press_takes_the_query(open_widget: Open) -> None:
    mixture = open_widget(TAG)
    x, y = middle(mixture.locator(".w-point.query .halo"))
    drag(mixture.page, (x, y), (x + 60, y))
    assert mixture.get_attribute("q") != "1,1"
    assert mixture.get_attribute("k3") == "1,1"


def test_names_do_not_cover_each_other(open_widget: Open) -> None:
    """Random states in which no two points are closer than their names are wide."""
    mixture, rng = open_widget(TAG), np.random.default_rng(7)
    overlaps = """e => [...e.querySelectorAll('.w-plane')].flatMap(plane => {
      const boxes = [...plane.querySelectorAll('.w-name')].map(n => n.getBoundingClientRect());
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 8).map(b => [a.x, b.x]));
    })"""
    tried = 0
    while tried < 40:
        q, K, V = tenths(rng, 2, 2), tenths(rng, (3, 2), 2), tenths(rng, (3, 2), 2) + 1
        tips = np.vstack([q, K])
        gaps = np.linalg.norm(tips[:, None] - tips, axis=-1) + 9 * np.eye(4)
        if gaps.min() < 0.6:
            continue
        tried += 1
        put(mixture, q, K, V)
        assert mixture.evaluate(overlaps) == [], (q, K, V)


def test_presets_glide_unless_motion_is_unwelcome(open_widget: Open) -> None:
    mixture = open_widget(TAG)
    seen = glide(mixture, "q", "No query")
    assert len(seen) > 3
    assert seen[-1] == "0,0"
