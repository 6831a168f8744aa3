"""The page of the kernels' speed shows records as they are, refuses others, and makes none up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import markdown
import pytest

from book import speed
from tests.site.conftest import EXTENSIONS

SHAPE = {"B": 2, "Hq": 16, "Hkv": 4, "L": 8192, "D": 128, "causal": True, "pairs": 33_558_528}
FLOPS = 4 * 2 * 16 * 33_558_528 * 128  # forward; it is made up how long that takes


def row(of: str, who: str, ms: float) -> dict[str, Any]:
    flops = FLOPS * (2.5 if of == "backward" else 1)
    told = {"shape": "causal D128 L8192", "of": of, "contestant": who, "state": "timed"}
    return {**told, "ms": [0.9 * ms, ms, 1.25 * ms], "tflops": flops / ms / 1e9, "ratio": 1.5}


def untimed(of: str, who: str, state: str, why: str) -> dict[str, Any]:
    told = {"shape": "causal D128 L8192", "of": of, "contestant": who}
    return {**told, "state": state, "why": why}


@pytest.fixture
def record() -> dict[str, Any]:
    """Of a card that does not exist."""
    return {
        "format": 1,
        "date": "2026-02-03",
        "commit": "0123456789abcdef" * 2 + "01234567",
        "clean": False,
        "card": {"name": "Imaginary 9000", "memory": 140, "driver": "580.1"},
        "versions": {"Python": "3.12.3", "torch": "2.11.0+cu130", "Triton": "3.6.0"},
        "dtype": "bfloat16",
        "rounds": 5,
        "seconds": 200,
        "matmul": {"n": 8192, "tflops": 2 * FLOPS / 2.0 / 1e9},
        "shapes": [{"name": "causal D128 L8192", **SHAPE}],
        "rows": [
            row("forward", "ours", 2.0),
            row("forward", "FlexAttention", 2.5),
            untimed("forward", "fla", "not installed", "ModuleNotFoundError: no fla"),
            row("backward", "ours", 5.0),
            untimed("backward", "FlexAttention", "wrong", "dq is off by 3% | <b>`*all*`</b>"),
        ],
        "launch": [
            {
                **{"shape": "launch D64 L128", "of": "forward", "contestant": "ours"},
                **{"state": "timed", "ms": [0.1, 0.125, 0.2]},
            }
        ],
        "goals": [
            {"says": "forward, L ≥ 8192, TFLOP/s", "least": 100, "measured": 120.5, "met": True},
            {"says": "backward, L ≥ 8192", "least": 400, "measured": 399.0, "met": False},
            {"says": "forward, D 64", "least": 430, "measured": None, "met": False},
        ],
        "fault": None,
    }


Put = Callable[[Any], Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def write(record: Any) -> Path:
        file = tmp_path / "kernels-bench/imaginary-9000.json"
        file.parent.mkdir(exist_ok=True)
        text = record if isinstance(record, str) else json.dumps(record)
        file.write_text(text, encoding="utf-8")
        return file.parent

    return write


def shown(folder: Path) -> str:
    """The section of a record as HTML."""
    return markdown.markdown(speed.listing(folder), extensions=EXTENSIONS)


def cells(html: str) -> list[list[str]]:
    """The text of each row of a table."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.S)
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", r, re.S)]
        for r in rows
    ]


def test_a_record_is_shown_with_all_that_it_depends_on(record: dict[str, Any], put: Put) -> None:
    html = shown(put(record))
    for told in (
        *("Recorded on 2026-02-03", "Imaginary 9000, 140 GiB, driver 580.1", "bfloat16"),
        *("Python 3.12.3, torch 2.11.0+cu130, Triton 3.6.0", "5 rounds"),
        *("0123456789ab", "with changes that are not in it", "kernels-bench/imaginary-9000.json"),
    ):
        assert told in html
    assert "cut short" not in html


def test_speeds_stand_by_shape_and_contestant(record: dict[str, Any], put: Put) -> None:
    speeds = [line for line in cells(shown(put(record))) if "causal" in line[0]]
    forward, backward = FLOPS / 2.0 / 1e9, FLOPS * 2.5 / 5.0 / 1e9
    flex = FLOPS / 2.5 / 1e9
    between = f"({forward / 1.25:.0f}–{forward / 0.9:.0f})"
    assert speeds[0][:3] == ["causal D128 L8192", "2 × 16/4", f"{forward:.0f} {between}"]
    assert speeds[0][3].startswith(f"{flex:.0f} (")
    assert speeds[0][4] == "50%"
    assert "Ours over FlexAttention, round by round: 1.50," in shown(put(record))
    assert speeds[1][2].startswith(f"{backward:.0f} (")
    assert len(speeds[1]) == 4  # who was wrong has no column


def test_goals_are_met_missed_or_not_measured(record: dict[str, Any], put: Put) -> None:
    told = [line[1:] for line in cells(shown(put(record))) if len(line) == 4]
    assert ["100", "120.5", "met"] in told
    assert ["400", "399", "missed"] in told
    assert ["430", "–", "not measured"] in told


def test_who_was_not_timed_is_named_with_the_reason_as_plain_text(
    record: dict[str, Any], put: Put
) -> None:
    html = shown(put(record))
    assert "FlexAttention, wrong: <code>dq is off by 3% | &lt;b&gt;'*all*'&lt;/b&gt;</code>" in html
    assert "fla, not installed: <code>ModuleNotFoundError" in html


def test_a_run_that_was_cut_short_says_so(record: dict[str, Any], put: Put) -> None:
    record |= {"fault": "The GPU is dead.", "goals": [], "matmul": None, "commit": None}
    record |= {"clean": None}
    html = shown(put(record))
    assert "The run was cut short" in html
    assert "<code>The GPU is dead.</code>" in html
    assert "commit unknown" in html


def test_without_a_record_nothing_is_claimed(tmp_path: Path) -> None:
    told = speed.listing(tmp_path / "none")
    assert "Nothing has been measured yet" in told
    assert "python -m kernels.bench --record" in told
    assert not re.search(r"\d", told)


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (lambda r: r.pop("card"), "card is None: expected an object"),
        (lambda r: r.update(format=2), "format is 2: expected 1"),
        (lambda r: r.update(date="3 May"), "date is '3 May': expected a date as 2026-01-31"),
        (lambda r: r.update(date="2026-13-01"), "date is '2026-13-01': expected a day"),
        (lambda r: r.update(commit="main"), "commit is 'main': expected 40 hexadecimal digits"),
        (lambda r: r["card"].update(name="<b>"), "card.name is '<b>': expected a plain name"),
        (lambda r: r["versions"].pop("torch"), "versions.torch is None"),
        (lambda r: r.update(rounds=0), "rounds is 0: expected a whole number, 1 or more"),
        (lambda r: r["rows"][0].update(shape="x"), "rows[0].shape is 'x': expected one of shapes"),
        (lambda r: r["rows"][0].update(state="ok"), "rows[0].state is 'ok': expected one of timed"),
        (
            lambda r: r["rows"][0].update(ms=[2, 1, 3]),
            "rows[0].ms is [2, 1, 3]: expected",
        ),
        (lambda r: r["rows"][0].update(tflops=999.0), "rows[0].tflops is 999.0: expected 274.9"),
        (lambda r: r["rows"][3].update(tflops=float("nan")), "rows[3].tflops is nan"),
        (lambda r: r["rows"][1].update(ratio=-1), "rows[1].ratio is -1: expected a number above 0"),
        (lambda r: r["rows"].append(r["rows"][0]), "expected one row for each"),
        (lambda r: r["rows"][4].pop("why"), "rows[4].why is None: expected a line of text"),
        (lambda r: r["rows"][4].update(why='--8<-- "x"'), "expected a line of text"),
        (lambda r: r["shapes"][0].update(B=True), "shapes[0].B is True: expected a whole number"),
        (lambda r: r["goals"][1].update(met=True), "goals[1].met is True: expected False"),
        (lambda r: r["launch"][0].pop("ms"), "launch[0].ms is None: expected a list"),
    ],
)
def test_a_record_that_is_not_one_is_refused_in_words(
    record: dict[str, Any], put: Put, break_it: Callable[[dict[str, Any]], Any], told: str
) -> None:
    break_it(record)
    with pytest.raises(ValueError, match=re.escape(told)) as error:
        speed.listing(put(record))
    assert str(error.value).startswith("kernels-bench/imaginary-9000.json: ")


def test_a_file_that_is_not_json_is_refused_by_its_name(put: Put) -> None:
    with pytest.raises(ValueError, match=r"bench/imaginary-9000\.json is not JSON: .*line 1"):
        speed.listing(put("{"))


def test_an_empty_list_is_no_record(put: Put) -> None:
    with pytest.raises(ValueError, match="the record is \\[\\]: expected an object"):
        speed.listing(put("[]"))
