"""memory-hierarchy: the same multiply-adds, other bytes between memory and chip."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref.costs import attention_multiply_adds, naive_traffic, score_bytes, tiled_traffic
from tests.browser.widgets.harness import Open, assign, frame, numbers, press

TAG = "attn-memory-hierarchy"
UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
SIZES = {
    "n": [1024 * 2**k for k in range(8)],
    "d": [32, 64, 128, 256],
    "rows": [16, 32, 64, 128, 256, 512],
    "keys": [16, 32, 64, 128, 256],
}


def reads(text: str, value: float) -> None:
    """The shown amount is this one, rounded to the digits that are shown."""
    found = re.fullmatch(r"([\d,]+)(\.\d+)?(?:\s(\w+))?", text.strip().removesuffix(" a tile"))
    assert found, text
    unit = UNITS[found[3]] if found[3] else 1
    shown = float((found[1] + (found[2] or "")).replace(",", ""))
    if found[2] is None:
        assert shown * unit == value, text
    else:
        assert abs(shown - value / unit) <= 0.5001 * 10.0 ** (1 - len(found[2])), text


def row(widget: Locator, name: str) -> list[str]:
    """What stands under naive and under tiled."""
    return widget.locator(f".w-both [data-row={name}] td").all_inner_texts()


def totals(widget: Locator) -> list[str]:
    return widget.locator(".w-totals .amount").all_inner_texts()


def ledger(widget: Locator) -> tuple[list[str], list[float]]:
    """The amounts of all transfers, and how long their bars are."""
    lines = widget.locator(".w-ledger:not(.w-chip) tr:not(.none)")
    bars = lines.locator(".w-bar").evaluate_all(
        "s => s.map(b => Number(b.style.getPropertyValue('--share')))"
    )
    return lines.locator(".amount").all_inner_texts(), bars


def test_it_opens_on_the_numbers_of_the_page(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assert row(widget, "work") == ["34.36", "34.36"]
    assert row(widget, "held") == ["268,435,456", "8,192 a tile"]
    assert row(widget, "kept") == ["524,288\u00a0KiB", "64\u00a0KiB"]
    assert totals(widget) == ["2,056\u00a0MiB", "516.063\u00a0MiB"]
    chip = widget.locator(".w-chip .amount").all_inner_texts()
    assert chip == ["32\u00a0KiB of 163", "65\u00a0KiB of 256"]
    assert row(widget, "ratio") == ["15.9", "63.5"]


@pytest.mark.parametrize("seed", [1, 2])
def test_every_count_is_that_of_attnref(open_widget: Open, seed: int) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(seed)
    for turn in range(12):
        n, d, rows, keys = (int(rng.choice(values)) for values in SIZES.values())
        way = ("naive", "tiled")[turn % 2]
        assign(widget, way=way, n=n, d=d, rows=rows, keys=keys)
        work = attention_multiply_adds(n * n, D=d)
        moved = naive_traffic(n, n, D=d), tiled_traffic(n, n, rows=rows, D=d)
        expected = {
            "held": (n * n, rows * keys),
            "kept": (score_bytes(n, n), 4 * n),
            "ratio": tuple(work / bytes_ for bytes_ in moved),
        }
        for name, values in expected.items():
            for text, value in zip(row(widget, name), values, strict=True):
                reads(text, value)
        assert row(widget, "work") == [f"{work / 1e9:,.2f}"] * 2
        transfers = numbers(widget)["transfers"]
        for each, total in zip(("naive", "tiled"), moved, strict=True):
            assert sum(transfer[3] for transfer in transfers[each]) == total
        amounts, bars = ledger(widget)
        shown = [*moved, *(t[3] for t in transfers[way])]
        for text, bar, value in zip(amounts, bars, shown, strict=True):
            reads(text, value)
            assert bar == pytest.approx(value / max(moved))
        assert len({text.split()[-1] for text in totals(widget)}) == 1, "one unit"
        what = widget.locator(".w-ledger tr:not(.none) .what").all_inner_texts()
        assert what[0] == ("𝑄 and 𝐾" if way == "naive" else "𝑄")
        assert way == "naive" or what[1] == f"𝐾 and 𝑉, {n // rows:,} times"
        halves = widget.locator(".w-ledger tr.split")
        tones = [halves.get_attribute("class"), halves.get_attribute("style")]
        pair = ("key", "query") if way == "naive" else ("value", "key")
        assert tones == [f"{pair[0]} split", f"--first: var(--{pair[1]})"]
        sums = 2 * (rows * d + 2 * keys * d), 4 * (rows * keys + rows * (d + 2))
        room = 163, 256
        chip = widget.locator(".w-chip tr")
        fits = []
        for line, took, most in zip(chip.all(), sums, room, strict=True):
            fits.append(took <= most * 1024)
            need, there = line.locator(".amount").inner_text().split(" of ")
            reads(need, took)
            assert (need.endswith("KiB"), there) == (True, str(most))
            assert (line.get_attribute("class") != "wrong") == fits[-1]
            share = line.locator(".w-bar").evaluate("b => b.style.getPropertyValue('--share')")
            assert float(share) == pytest.approx(min(1, took / most / 2048)), "the mark is halfway"
        assert list(numbers(widget)["chip"].values()) == list(sums)
        told = widget.locator(".w-says").inner_text()
        assert f"{work:,} multiply-adds" in told
        found = re.search(r"([\d,.]+\s\w+) move .*?; (\w+) it would be ([\d,.]+\s\w+)\.$", told)
        assert found
        assert found[2] == ("tiled", "naive")[turn % 2]
        reads(found[1], moved[turn % 2])
        reads(found[3], moved[1 - turn % 2])
        if way == "tiled":
            verbs = re.findall(r"\) (fit|do not fit) in an A100", told)
            assert verbs == ["fit" if fit else "do not fit" for fit in fits]


def test_what_the_switch_and_the_tile_leave_alone(open_widget: Open) -> None:
    widget = open_widget(TAG)
    first = {name: row(widget, name) for name in ("work", "held", "kept", "ratio")}
    moved = totals(widget)
    assign(widget, way="tiled")
    assert {name: row(widget, name) for name in first} == first, "both ways always stand there"
    assert totals(widget) == moved
    assert widget.locator("td.on").all_inner_texts() == [
        row(widget, name)[1] for name in ("work", "held", "kept", "ratio")
    ]
    assign(widget, keys=256)
    assert totals(widget) == moved, "keys of a tile move nothing more"
    assert row(widget, "held")[1] == "32,768 a tile"
    assign(widget, rows=16)
    found = numbers(widget)["ways"]
    assert found["tiled"]["moved"] > found["naive"]["moved"], "a tile can be too small"
    assert row(widget, "work") == first["work"]
    before = found["tiled"]["moved"]
    assign(widget, n=32768)
    assert 3.9 < numbers(widget)["ways"]["tiled"]["moved"] / before < 4, "still quadratic"


def test_it_works_by_keyboard_and_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    widget.get_by_role("button", name="Tiled").tap()
    frame(widget.page)
    assert widget.get_attribute("way") == "tiled"
    for name, key, attribute, value in (
        ("tokens", "ArrowRight", "n", "32768"),
        ("head width", "End", "d", "256"),
        ("queries a tile", "Home", "rows", "16"),
        ("keys a tile", "ArrowLeft", "keys", "32"),
    ):
        press(widget, widget.get_by_role("slider", name=name), key)
        assert widget.get_attribute(attribute) == value
