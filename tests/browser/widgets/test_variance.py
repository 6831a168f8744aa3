"""variance: raw scores spread with the width, scaled ones do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref import softmax
from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    frame,
    numbers,
    press,
    said,
    shown,
    state,
)

TAG = "attn-variance"
WIDTHS = [2**power for power in range(11)]
QUERIES, KEYS = 2000, 4
KIT = "new URL('../../widgets/kit/random.js', location.href)"
SAMPLE = "new URL('../../widgets/variance-sample.js', location.href)"


def done(element: Locator) -> dict[str, Any]:
    """The finished numbers, and a drawing of them."""
    found = numbers(element)
    frame(element.page)
    return found


def scores(element: Locator, d: int, seed: int = 1) -> Array:
    """All raw scores of one width, a row a query, from the module that the widget uses."""
    rows = element.page.evaluate(
        f"""async ([d, seed]) => {{
          const {{ Sample }} = await import({SAMPLE});
          const sample = new Sample(seed);
          while (!sample.complete) sample.grow(1000);
          return Array.from(sample.at(d));
        }}""",
        [d, seed],
    )
    return np.array(rows).reshape(QUERIES, KEYS)


def sfc32(seed: int, count: int) -> list[int]:
    """The generator once more, from its definition, with whole numbers that cannot overflow."""
    low = 0xFFFFFFFF
    a, b, c, n, out = 0, seed, 0, 1, []
    for _ in range(12 + count):
        drawn = (a + b + n) & low
        n = (n + 1) & low
        a, b = b ^ (b >> 9), (c + (c << 3)) & low
        c = (((c << 21) & low | c >> 11) + drawn) & low
        out.append(drawn - (drawn >> 31 << 32))
    return out[12:]


def test_the_generator_is_sfc32(open_widget: Open) -> None:
    page = open_widget(TAG).page
    for seed in (1, 7, 9999):
        script = f"""async seed => {{
          const next = (await import({KIT})).bits(seed);
          return Array.from({{ length: 500 }}, next);
        }}"""
        assert page.evaluate(script, seed) == sfc32(seed, 500)


def test_its_normal_numbers_have_the_moments_of_the_normal_distribution(open_widget: Open) -> None:
    x = np.array(
        open_widget(TAG).page.evaluate(f"""async () => {{
          const out = new Float64Array(400000);
          (await import({KIT})).normals(3)(out);
          return Array.from(out);
        }}""")
    )
    for power, (mean, variance) in {1: (0, 1), 2: (1, 2), 3: (0, 15), 4: (3, 96)}.items():
        assert abs((x**power).mean() - mean) < 4 * np.sqrt(variance / len(x))
    assert abs((x[:-1] * x[1:]).mean()) < 4 / np.sqrt(len(x)), "neighbours are independent"


def test_scores_are_the_dot_products_of_the_draws_at_every_width(open_widget: Open) -> None:
    element = open_widget(TAG)
    drawn = element.page.evaluate(f"""async () => {{
      const fill = (await import({KIT})).normals(1);
      const out = new Float64Array({max(WIDTHS)});
      return Array.from({{ length: 15 }}, () => {{ fill(out); return Array.from(out); }});
    }}""")
    vectors = np.array(drawn).reshape(3, 1 + KEYS, max(WIDTHS))  # a query, and its keys
    for d in WIDTHS:
        q, k = vectors[:, :1, :d], vectors[:, 1:, :d]
        want = (q @ k.mT)[:, 0]
        np.testing.assert_allclose(scores(element, d)[:3], want, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", [1, 42])
def test_its_statistics_are_those_of_numpy_on_the_same_scores(open_widget: Open, seed: int) -> None:
    element = open_widget(TAG)
    for d in (1, 4, 64, 1024):
        assign(element, d=d, seed=seed)
        found, raw = done(element), scores(element, d, seed)
        for side, s in (("raw", raw), ("scaled", raw / np.sqrt(d))):
            A = softmax(s)
            got = found[side]
            np.testing.assert_allclose(got["variance"], s.var(ddof=1), rtol=1e-9)
            np.testing.assert_allclose(got["top"], A.max(-1).mean(), rtol=1e-9)
            np.testing.assert_allclose(got["rows"], A[:8], rtol=1e-9)
            assert got["counts"] == np.histogram(s, np.arange(-20, 20.5, 0.5))[0].tolist()
            np.testing.assert_allclose(got["below"], (s < -20).mean())
            np.testing.assert_allclose(got["above"], (s >= 20).mean())


def test_the_variance_is_the_width_and_scaled_it_is_one_within_four_standard_errors(
    open_widget: Open,
) -> None:
    """Var(s²) = 2d² + 6d for one score; scores of a row share a query, which adds 2d each."""
    element = open_widget(TAG)
    for seed in (1, 2, 3):
        for d in WIDTHS:
            assign(element, d=d, seed=seed)
            found = done(element)
            error = np.sqrt((2 * d * d + 6 * d + (KEYS - 1) * 2 * d) / (QUERIES * KEYS))
            assert abs(found["raw"]["variance"] - d) < 4 * error
            np.testing.assert_allclose(found["scaled"]["variance"], found["raw"]["variance"] / d)


def test_the_scaled_top_weight_is_what_theory_says_within_four_standard_errors(
    open_widget: Open,
) -> None:
    """Wide scaled scores are normal; a million rows of them say what their top weight is."""
    A = softmax(np.random.default_rng(0).normal(size=(1_000_000, KEYS))).max(-1)
    element = open_widget(TAG)
    for d in (256, 1024):
        assign(element, d=d)
        assert abs(done(element)["scaled"]["top"] - A.mean()) < 4 * A.std() / np.sqrt(QUERIES)


def test_the_teal_histogram_stands_still_while_the_raw_one_spreads(open_widget: Open) -> None:
    element = open_widget(TAG)
    widest = []
    for d in (16, 64, 256, 1024):
        assign(element, d=d)
        found = done(element)
        inside = {side: np.array(found[side]["counts"]) for side in ("raw", "scaled")}
        middle = slice(36, 44)  # from -2 to 2
        assert 0.94 < inside["scaled"][middle].sum() / (QUERIES * KEYS) < 0.97
        widest.append(inside["raw"][middle].sum())
    assert widest == sorted(widest, reverse=True)
    assert widest[-1] < widest[0] / 5


def test_it_shows_and_says_what_it_measured(open_widget: Open) -> None:
    element = open_widget(TAG)
    assign(element, d=256, seed=5)
    found = done(element)
    rows = element.locator(".w-spread tbody tr")
    for row, side, theory in ((rows.nth(0), "raw", 256), (rows.nth(1), "scaled", 1)):
        variance, stated, top = shown(row.locator("td"))
        agree(variance, found[side]["variance"], 2)
        assert stated == theory
        agree(top, found[side]["top"])
    spoken = said(element.locator(".w-says").inner_text())
    assert spoken[0] == 256
    want = [found[side][name] for side in ("raw", "scaled") for name in ("variance", "top")]
    agree(spoken[1:], want, 2)
    ends = [found["raw"]["below"], found["raw"]["above"]]
    agree(shown(element.locator(".w-ruler > span:is(.raw)").nth(1)), 100 * ends[0], 0)
    strips = element.locator(".w-portrait").nth(1).locator("i")
    grow = strips.evaluate_all("parts => parts.map(p => Number(p.style.flexGrow))")
    np.testing.assert_allclose(np.reshape(grow, (8, 4)), found["scaled"]["rows"], atol=1e-6)


def test_a_seed_repeats_and_another_differs(open_widget: Open) -> None:
    element = open_widget(TAG)
    first = done(element)
    element.get_by_role("button", name="Draw new vectors").click()
    frame(element.page)
    assert state(element)["seed"] == "2"
    second = done(element)
    assert second["raw"]["variance"] != first["raw"]["variance"]
    assign(element, seed=1)
    assert done(element) == first


def test_slices_of_any_length_give_the_same_sample(open_widget: Open) -> None:
    element = open_widget(TAG)
    pieces = element.page.evaluate(f"""async () => {{
      const {{ Sample, measure }} = await import({SAMPLE});
      return [0, 3, 1000].map(ms => {{
        const sample = new Sample(11);
        let slices = 0;
        while (!sample.complete) {{ sample.grow(ms); slices += 1; }}
        return [slices, measure(sample.at(64))];
      }});
    }}""")
    slices, measured = zip(*pieces, strict=True)
    assert slices[0] == QUERIES > slices[1] > slices[2]
    assert measured[0] == measured[1] == measured[2]


def test_it_draws_while_it_works_and_the_page_stays_free(open_widget: Open) -> None:
    """Every frame has a slice of some milliseconds; between them, others have their turn."""
    element = open_widget(TAG)
    done(element)
    seen = element.evaluate("""widget => new Promise(finished => {
      const seen = [];
      const { draw } = widget;
      widget.draw = (state, found) => { seen.push(found.drawn); draw.call(widget, state, found); };
      widget.set({ seed: 77 });
      const wait = setInterval(() => {
        if (seen.at(-1) === 2000) { clearInterval(wait); finished(seen); }
      }, 20);
    })""")
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert 0 < seen[0] < QUERIES


def test_while_it_works_a_new_width_goes_on_with_the_same_vectors(open_widget: Open) -> None:
    element = open_widget(TAG)
    assign(element, seed=31)
    assign(element, d=4)
    found = done(element)
    np.testing.assert_allclose(found["raw"]["variance"], scores(element, 4, 31).var(ddof=1))


def test_halve_and_double_stop_at_the_ends(open_widget: Open) -> None:
    element = open_widget(TAG)
    halve, double = (element.get_by_role("button", name=name) for name in ("Halve", "Double"))
    for width in (128, 256, 512, 1024):
        press(element, double, "Enter")
        assert element.get_attribute("d") == str(width)
    assert double.is_disabled()
    press(element, halve, "Enter")
    assert element.get_attribute("d") == "512"
    assign(element, d=1)
    assert halve.is_disabled()


def test_the_slider_moves_by_keyboard_through_all_widths(open_widget: Open) -> None:
    element = open_widget(TAG)
    slider = element.get_by_role("slider", name="Width of a query and a key")
    press(element, slider, "ArrowRight")
    assert element.get_attribute("d") == "128"
    assert slider.get_attribute("aria-valuetext") == "128"
    press(element, slider, "Home")
    assert element.get_attribute("d") == "1"
    press(element, slider, "End")
    assert element.get_attribute("d") == "1024"
    assert element.locator("output").inner_text() == "1024"
