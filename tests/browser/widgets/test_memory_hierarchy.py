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
    found = re.fullmatch(r"([\d,]+)(\.\d+)?(?:\s(\w+))?", text.strip())
    assert found, text
    unit = UNITS[found[3]] if found[3] else 1
    shown = float((found[1] + (found[2] or "")).replace(",", ""))
    if found[2] is None:
        assert shown * unit == value, text
    else:
        assert abs(shown - value / unit) <= 0.5001 * 10.0 ** (1 - len(found[2])), text


def row(widget: Locator, name: str) -> list[str]:
    """What stands under naive and under tiled."""
    return widget.locator(f"[data-row={name}] td").all_inner_texts()


def ledger(widget: Locator) -> tuple[list[str], list[float]]:
    """The amounts of all transfers, and how long their bars are."""
    lines = widget.locator(".w-ledger tr:not(.none)")
    bars = lines.locator(".w-bar").evaluate_all(
        "s => s.map(b => Number(b.style.getPropertyValue('--share')))"
    )
    return lines.locator(".amount").all_inner_texts(), bars


def test_it_opens_on_the_numbers_of_the_page(open_widget: Open) -> None:
    widget = open_widget(TAG)
    assert row(widget, "work") == ["34,359,738,368, both"]
    assert row(widget, "held") == ["268,435,456", "8,192"]
    assert row(widget, "kept") == ["512\u00a0MiB", "64\u00a0KiB"]
    for text, value in zip(row(widget, "moved"), (2056, 516.0625), strict=True):
        reads(text, value * 2**20)
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
            "moved": moved,
            "ratio": tuple(work / bytes_ for bytes_ in moved),
        }
        for name, values in expected.items():
            for text, value in zip(row(widget, name), values, strict=True):
                reads(text, value)
        assert row(widget, "work") == [f"{work:,}, both"]
        transfers = numbers(widget)["transfers"]
        for each, total in zip(("naive", "tiled"), moved, strict=True):
            assert sum(transfer[3] for transfer in transfers[each]) == total
        amounts, bars = ledger(widget)
        assert len(amounts) == len(transfers[way])
        longest = max(t[3] for ts in transfers.values() for t in ts)
        for text, bar, transfer in zip(amounts, bars, transfers[way], strict=True):
            reads(text, transfer[3])
            assert bar == pytest.approx(transfer[3] / longest)
        what = widget.locator(".w-ledger tr:not(.none) .what").all_inner_texts()
        assert way == "naive" or what[1] == f"K and V, {n // rows:,} times"
        chip = 2 * (rows * d + 2 * keys * d) + 4 * (rows * keys + rows * (d + 2))
        assert numbers(widget)["chip"] == chip
        told = widget.locator(".w-says").inner_text()
        assert f"{work:,} multiply-adds" in told
        found = re.search(r"([\d,.]+\s\w+) move .*?; (\w+) it would be ([\d,.]+\s\w+)\.$", told)
        assert found
        assert found[2] == ("tiled", "naive")[turn % 2]
        reads(found[1], moved[turn % 2])
        reads(found[3], moved[1 - turn % 2])
        if way == "tiled":
            assert ("more than" in told) == (chip > 192 * 1024)


def test_what_the_switch_and_the_tile_leave_alone(open_widget: Open) -> None:
    widget = open_widget(TAG)
    first = {name: row(widget, name) for name in ("work", "held", "kept", "moved")}
    assign(widget, way="tiled")
    assert {name: row(widget, name) for name in first} == first, "both ways always stand there"
    assert widget.locator("td.on").all_inner_texts() == [
        row(widget, name)[1] for name in ("held", "kept", "moved", "ratio")
    ]
    assign(widget, keys=256)
    assert row(widget, "moved") == first["moved"], "keys of a tile move nothing more"
    assert row(widget, "held")[1] == "32,768"
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
