"""rope: a query and a key turned by their positions, in three dtypes, and a head's bands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Locator

from attnref import rope
from tests.browser.widgets.harness import (
    Array,
    Open,
    agree,
    assign,
    frame,
    numbers,
    press,
    said,
    state,
)

TAG = "attn-rope"
FRONT = [0, 5, 100, 999, 9999, 99999, 999998]
WIDTHS = [2, 4, 8, 16, 32, 64, 128]
DTYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}
Q, K = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
KIT = """async (_, xs) => {
  const { round } = await import(new URL('../../widgets/kit/dtypes.js', location.href));
  return Object.fromEntries(Object.entries(round).map(([name, f]) => [name, xs.map(x => f(x))]));
}"""


def turned(row: Array, angle: float) -> Array:
    """By attnref: a single pair turns by as much as its position says."""
    found: Array = rope(row, np.array([angle]))[0]
    return found


def by_torch(position: int, speed: int, dtype: str) -> tuple[float, float]:
    """A position as stored, and its angle in radians."""
    kind = DTYPES[dtype]
    omega = torch.tensor(speed * np.pi / 180, dtype=torch.float64).to(kind)
    stored = torch.tensor(position).to(kind)
    return stored.item(), (stored * omega).item()


def some(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "i": int(rng.integers(1, 17)),
        "j": int(rng.integers(1, 17)),
        "front": int(rng.choice(FRONT)),
        "speed": int(rng.integers(0, 91)),
        "dtype": str(rng.choice(list(DTYPES))),
        "width": int(rng.choice(WIDTHS)),
        "base": int(rng.choice([10000, 500000])),
    }


def row(widget: Locator, tone: str) -> list[str]:
    texts: list[str] = widget.locator(f".w-turned .{tone} td").all_inner_texts()
    return texts


def score(widget: Locator) -> tuple[float, float]:
    """What the line says: the score, and what it is in theory."""
    found = widget.locator(".w-score b").all_inner_texts()
    return said(found[0])[0], said(found[1])[0]


def spans(widget: Locator) -> list[float]:
    """How far the drawn arcs go, in degrees: the query's turn, the key's, and between them."""
    found: list[float] = widget.evaluate("""e => {
      const rim = e.querySelector('.w-rim');
      const [cx, cy] = ['cx', 'cy'].map(of => Number(rim.getAttribute(of)));
      return [...e.querySelectorAll('.w-turn'), e.querySelector('.w-between')].map(path => {
        const end = path.getPointAtLength(0);
        return path.getTotalLength() / Math.hypot(end.x - cx, end.y - cy) * 180 / Math.PI;
      });
    }""")
    return found


def test_rounding_is_that_of_torch(open_widget: Open) -> None:
    rng = np.random.default_rng(0)
    wide = rng.normal(size=400) * 10.0 ** rng.integers(-3, 7, 400)
    ties = np.arange(120, 1100, 0.5)  # among them halfway cases, to even
    edges = np.array([0.0, -0.0, 1e6, 999_999, 65535.9, 255.5, 1 - 2**-9, 2**-126, -3.0e38])
    xs = np.concatenate([wide, ties, -ties, edges])
    got = open_widget(TAG).evaluate(KIT, xs.tolist())
    for name, dtype in DTYPES.items():
        want = torch.tensor(xs, dtype=torch.float64).to(dtype).double()
        np.testing.assert_array_equal(got[name], want.numpy(), name)


def test_positions_angles_and_scores_are_those_of_torch_and_attnref(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(60):
        now = some(rng)
        assign(widget, **now)
        found, vectors = numbers(widget), []
        for side, key, start in (("q", "i", Q), ("k", "j", K)):
            position = now[key] + now["front"]
            stored, angle = by_torch(position, now["speed"], now["dtype"])
            assert (found[side]["position"], found[side]["stored"]) == (position, stored)
            assert found[side]["angle"] == angle, str(now)
            vectors.append(turned(start, angle))
            np.testing.assert_allclose(found[side]["turned"], vectors[-1], atol=1e-9)
            told = row(widget, "query" if side == "q" else "key")
            counts = [said(text.replace(",", ""))[0] for text in told[:2]]
            assert counts == [position, stored]
            agree(said(told[2]), np.rad2deg(angle) % 360, 1)
            agree(said(told[3]), found[side]["turned"], 2)
        theory = np.sin((now["i"] - now["j"]) * np.deg2rad(now["speed"]))
        product = vectors[0] @ vectors[1]
        agree(score(widget), [product, theory])
        between, ideal = np.rad2deg(np.arccos(np.clip([product, theory], -1, 1)))
        line = said(widget.locator(".w-score").inner_text())
        agree([line[0], line[1], line[3]], [between, between, ideal], 1)
        turns = [np.rad2deg(found[side]["angle"]) % 360 for side in "qk"]
        np.testing.assert_allclose(spans(widget), [*turns, between], atol=0.2)
        says = widget.locator(".w-says").inner_text()
        wrong = abs(found["score"] - theory) > 1.1e-4
        assert not wrong or "should be" in says.replace("as it should be", "")
        flagged = widget.locator(".w-turned .off").count()
        assert flagged == sum(found[s]["position"] != found[s]["stored"] for s in "qk")


def test_in_float64_a_joint_shift_leaves_the_score_alone(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(2)
    slider = {n: widget.get_by_role("slider", name=n) for n in ("query", "tokens in front")}
    for _ in range(6):
        i, j = (int(n) for n in rng.integers(1, 17, 2))
        assign(widget, i=i, j=j, front=0, speed=int(rng.integers(1, 91)))
        before = score(widget)
        press(widget, slider["query"], "Home")  # locked: the key comes along
        now = state(widget)
        assert int(now["i"]) - int(now["j"]) == i - j
        assert min(int(now["i"]), int(now["j"])) == 1
        assert score(widget) == before
        for _ in FRONT[1:]:
            press(widget, slider["tokens in front"], "ArrowRight")
            assert score(widget) == before
        assert widget.get_attribute("front") == str(FRONT[-1])
    widget.get_by_role("checkbox", name="move together").uncheck()
    assign(widget, i=5, j=5, speed=30, front=0)
    press(widget, slider["query"], "ArrowRight")
    assert (widget.get_attribute("i"), widget.get_attribute("j")) == ("6", "5")
    assert score(widget) == (0.5, 0.5)


@pytest.mark.parametrize("narrow", [False, True])
def test_it_shows_the_numbers_of_the_page_and_bfloat16_makes_neighbours_one(
    open_widget: Open, narrow: bool
) -> None:
    widget = open_widget(TAG, **({"has_touch": True, "width": 360} if narrow else {}))
    table = widget.locator(".w-fallback tbody tr").all()
    presets = widget.locator(".w-presets button").all()
    assert len(table) == len(presets) == 4
    for line, preset in zip(table, presets, strict=True):
        preset.tap() if narrow else preset.click()
        frame(widget.page)
        assert preset.get_attribute("aria-pressed") == "true"
        texts = line.locator("td").all_text_contents()
        found = numbers(widget)
        wanted = [float(x) for x in texts[0].strip("()").split(", ")]
        assert [found[side]["position"] for side in "qk"] == wanted
        now = state(widget)
        dials = widget.locator(".w-dials output").all_inner_texts()[:3]
        assert dials == [now["i"], now["j"], f"{int(now['front']):,}"]  # what they set
        assert max(wanted) > 16 or int(now["front"]) == 0  # "7, 6" sets seven and six
        for dtype, text in zip(DTYPES, texts[1:], strict=True):
            radio = widget.get_by_role("radio", name=dtype)
            radio.tap() if narrow else radio.check()
            frame(widget.page)
            assert score(widget) == (said(text)[0], 0.5)
    assign(widget, front=999)
    assert [row(widget, tone)[1] for tone in ("query", "key")] == ["1,000", "1,000"]
    assert "In bfloat16 both positions are 1,000." in widget.locator(".w-says").inner_text()


def test_bands_are_the_pairs_of_rope_from_fast_to_slow(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for width in WIDTHS:
        for base in (10000, 500000):
            assign(widget, width=width, base=base, i=9, j=2)
            bands = numbers(widget)["bands"]
            pairs = [band["f"] for band in bands]
            assert pairs == sorted(set(pairs))
            assert (pairs[0], pairs[-1]) == (0, width // 2 - 1)
            assert len(pairs) == min(8, width // 2)
            one = np.zeros((1, width))
            one[0, : width // 2] = 1  # every pair points right
            by_attnref = rope(one, np.array([1]), base=float(base))[0]
            speeds = np.arctan2(by_attnref[width // 2 :], by_attnref[: width // 2])[pairs]
            np.testing.assert_allclose([band["omega"] for band in bands], speeds, rtol=1e-9)
            around = 2 * np.pi / speeds
            np.testing.assert_allclose([band["around"] for band in bands], around, rtol=1e-9)
            shown = widget.locator(".w-bands tbody tr:visible")
            assert [int(t) for t in shown.locator("th").all_inner_texts()] == pairs
            for of, want, digits in (("speed", speeds, 6), ("now", np.cos(7 * speeds), 4)):
                told = shown.locator(f"[data-of={of}]").all_inner_texts()
                agree([said(text)[0] for text in told], want, digits)
            for text, want in zip(
                shown.locator("[data-of=around]").all_inner_texts(), around, strict=True
            ):
                if "·" not in text:
                    agree(said(text.replace(",", "")), want, 1)
            assert shown.first.locator(".mark").get_attribute("x1") == "7"
            assert widget.locator(".w-here").inner_text().endswith("distance now: 7")
    drawn = widget.locator(".w-bands .wave").nth(1).get_attribute("d")
    assert drawn
    xs, ys = np.array([p.split(" ") for p in drawn[1:].split("L")], float).T
    np.testing.assert_allclose(-ys, np.cos(xs * bands[1]["omega"]), atol=6e-4)
