"""head-morph: query heads stay, and what is kept is what attnref counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref.costs import cache_bytes, latent_cache_bytes
from tests.browser.widgets.harness import Open, assign, frame, numbers, press, said

TAG = "attn-head-morph"
STAGES = {heads: [n for n in (16, 8, 4, 2, 1) if n <= heads] for heads in (4, 8, 16)}
Box = dict[str, float]


def counted(heads: int, kept: object, width: int) -> int:
    """Bytes a token and layer, in fp16, by the reference."""
    if kept == "latent":
        return latent_cache_bytes(1, layers=1, C=4 * width, R=width // 2)
    return cache_bytes(1, layers=1, Hkv=int(str(kept)), D=width)


def drawn(widget: Locator, which: str) -> list[Box]:
    """Where the rectangles are that can be seen, in the units of the picture."""
    found: list[Box] = widget.locator(f".w-morph {which}:not(.off)").evaluate_all(
        """all => all.map(r => ({
          x: Number(r.getAttribute('x')), width: Number(r.getAttribute('width')),
        })).filter(({width}) => width > 0)"""
    )
    return found


def pressed(widget: Locator) -> list[str]:
    return widget.locator(".w-presets [aria-pressed=true]").all_inner_texts()


def cell(widget: Locator, row: str) -> str:
    return widget.locator(f"[data-row={row}] td").inner_text()


def stages() -> list[tuple[int, Any, int]]:
    rng = np.random.default_rng(1)
    widths = [16, 32, 64, 128]
    return [
        (heads, kept, widths[int(rng.integers(4))])
        for heads, list_ in STAGES.items()
        for kept in [*list_, "latent"]
    ]


def test_every_stage_keeps_the_bytes_that_attnref_counts(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for heads, kept, width in stages():
        assign(widget, heads=heads, kept=kept, width=width)
        found, want = numbers(widget), counted(heads, kept, width)
        assert found["bytes"] == want == 2 * found["stored"] == 2 * sum(found["parts"])
        assert found["share"] == pytest.approx(want / counted(heads, heads, width))
        assert found["groups"] == want / counted(heads, 1, width)
        assert cell(widget, "bytes").replace(",", "") == str(want)
        assert cell(widget, "stored").replace(",", "") == str(want // 2)
        assert said(cell(widget, "share"))[0] == pytest.approx(100 * found["share"], abs=0.005)
        says = widget.locator(".w-says").inner_text()
        kind = "MLA" if kept == "latent" else {heads: "MHA", 1: "MQA"}.get(kept, "GQA")
        assert says.startswith(f"{kind}: ")
        assert pressed(widget) == [kind]
        told = said(says.replace(",", ""))
        assert want in told
        assert want / 2 in told
        assert f" {heads} query heads" in says
        if kept == "latent":
            assert told[1:5] == [1, 4 * width, 1, width / 2]
        elif kind == "GQA":
            assert told[1:3] == [kept, heads / kept]


def test_query_heads_stay_and_each_reads_the_head_of_its_group(open_widget: Open) -> None:
    widget = open_widget(TAG)
    for heads, kept, width in stages():
        assign(widget, heads=heads, kept=kept, width=width)
        assert cell(widget, "heads") == str(heads)
        assert len(drawn(widget, ".q")) == heads
        count = 1 if kept == "latent" else kept
        reads = np.arange(heads) // (heads // count)
        assert numbers(widget)["reads"] == reads.tolist()
        ends = widget.locator(".w-morph .read").evaluate_all(
            "l => l.map(p => p.getAttribute('d')).filter(d => d)"
            ".map(d => Number(/L([\\d.]+) /.exec(d)[1]))"
        )
        np.testing.assert_allclose(ends, (reads + 0.5) * 480 / count)


def test_what_is_kept_is_drawn_to_scale(open_widget: Open) -> None:
    """A key above its value: each 1 px narrower on both sides than its numbers ask for."""
    widget = open_widget(TAG)
    for heads, kept, width in stages():
        assign(widget, heads=heads, kept=kept, width=width)
        areas = []
        for which, high in ((".k", 1), (".v", 1), (".latent", 2)):
            boxes = drawn(widget, which)
            one = 1 if kept == "latent" else 0
            assert len(boxes) == (one if which == ".latent" else 0 if one else kept)
            areas.append(high * sum(box["width"] + 2 for box in boxes))
        rope = sum(box["width"] for box in drawn(widget, ".rope"))
        share = (sum(areas) + rope) / (2 * 480)
        assert share == pytest.approx(numbers(widget)["share"])
        sizes = widget.locator(".w-morph text").all_text_contents()[-2:]
        told = sorted(int(text.split()[-1]) for text in sizes if text)
        assert told == ([width // 2, 4 * width] if kept == "latent" else [])


def test_the_numbers_of_the_page(open_widget: Open) -> None:
    widget = open_widget(TAG)
    lines = widget.locator(".w-fallback tbody tr").all()
    for kept, line in zip((8, 2, 1, "latent"), lines, strict=True):
        assign(widget, heads=8, kept=kept, width=16)
        texts = line.locator("td").all_text_contents()[-2:]
        assert [said(text)[0] for text in texts] == [
            numbers(widget)["stored"],
            numbers(widget)["bytes"],
        ]
    assert numbers(widget)["groups"] == 2.25


def test_more_heads_than_there_are_is_taken_for_all_of_them(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assign(widget, heads=4, kept=16)
    assert numbers(widget)["kind"] == "MHA"
    assert numbers(widget)["kept"] == 4


def test_controls_work_by_keyboard_and_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    slider = widget.get_by_role("slider", name="kept")
    press(widget, slider, "ArrowRight")
    assert widget.get_attribute("kept") == "4"
    assert slider.get_attribute("aria-valuetext") == "4 heads"
    assert widget.get_by_role("button", name="GQA").get_attribute("aria-pressed") == "true"
    press(widget, slider, "End")
    assert slider.get_attribute("aria-valuetext") == "a latent"
    assert widget.get_attribute("kept") == "latent"
    press(widget, widget.get_by_role("slider", name="query heads"), "End")
    assert widget.get_attribute("heads") == "16"
    widget.get_by_role("button", name="GQA").tap()
    frame(widget.page)
    assert widget.get_attribute("kept") == "4"
    assert widget.get_by_role("button", name="GQA").get_attribute("aria-pressed") == "true"
