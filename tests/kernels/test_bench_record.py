"""What was measured is reported, judged by the goals and recorded, whatever came between."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from book import speed_record
from kernels.bench import __main__ as command
from kernels.bench import race, record, report
from kernels.bench.contestants import FLEX, OURS
from kernels.bench.goals import judged
from kernels.bench.race import Row
from kernels.bench.shapes import Shape
from kernels.bench.timing import Spread
from tests.kernels.racers import (
    CAUSAL,
    SMALL,
    Clock,
    raising,
    right,
    unmasked,
)


def test_a_dead_gpu_ends_it_and_all_that_was_known_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dead(device: str) -> None:
        raise RuntimeError("CUDA error: an illegal memory access")

    def killer(shape: Shape, device: str) -> Any:
        layout, attend = right(shape, device)
        left = iter(range(3))

        def call(*tensors: Any) -> Any:
            if shape.name == "full" and next(left, None) is None:
                monkeypatch.setattr(race, "synchronize", dead)
                raise RuntimeError("illegal")
            return attend(*tensors)

        return layout, call

    both = {OURS: right, "killer": killer}
    order = [CAUSAL, SMALL[0], SMALL[2]]
    monkeypatch.setattr(command, "matrix_product", lambda *_: 100.0)
    found = command.measure(order, both, Clock(1.0), device="cpu", rounds=2)
    assert found["fault"].startswith("The GPU is dead. killer, full, forward: RuntimeError: CUDA")
    known = [(r["shape"], r["contestant"], r["of"]) for r in found["rows"]]
    assert ("causal", "killer", "backward") in known
    assert ("full", "ours", "forward") in known
    assert not [key for key in known if key[0] == "window"]
    told = report.text({**FACTS, **found})
    assert "CUT SHORT, nothing more could be run: The GPU is dead. killer" in told


FACTS = {
    "format": 1,
    "date": "2026-01-02",
    "commit": None,
    "clean": None,
    "card": {"name": "NVIDIA H200", "memory": 140, "driver": None},
    "versions": {"torch": "2.11.0"},
}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(command, "matrix_product", lambda *_: 1e-3)
    monkeypatch.setattr(command, "SMALL", SMALL[0])
    both = {
        OURS: right,
        "twin": right,
        "unmasked": unmasked,
        "none": raising(ImportError("no none")),
    }
    found = command.measure([CAUSAL], both, Clock(1.0, 3.0), device="cpu", rounds=2)
    return {**FACTS, **found}


def test_the_report_has_speeds_shares_reasons_and_launches(measured: dict[str, Any]) -> None:
    told = report.text(measured)
    assert "forward, TFLOP/s: median (quartiles)" in told
    assert "ours / product" in told
    assert "ours over twin: " in told
    assert "unmasked, wrong: out is off by" in told
    assert "none, not installed: ImportError: no none [causal: forward and backward; " in told
    assert "the CPU's time for a small call" in told
    assert "CUT SHORT" not in told


def test_a_record_is_json_with_a_line_a_row(measured: dict[str, Any], tmp_path: Path) -> None:
    file = record.write(measured, tmp_path)
    assert file == tmp_path / "docs/reference/kernels-bench/nvidia-h200.json"
    text = file.read_text()
    assert json.loads(text) == json.loads(json.dumps(measured))
    assert sum('"contestant"' in line for line in text.splitlines()) == len(
        measured["rows"] + measured["launch"]
    )


def test_the_page_takes_what_the_bench_writes(measured: dict[str, Any]) -> None:
    made = json.loads(record.text(measured | {"versions": record.versions()}))
    speed_record.check(made, "it")
    made["rows"][0]["state"] = "fine"
    with pytest.raises(ValueError, match="it: rows"):
        speed_record.check(made, "it")


def timed(of: str, shape: str, who: str, tflops: float, ratio: float | None) -> Row:
    return Row(shape, of, who, "timed", None, Spread(1, 1, 1), tflops, ratio)


def test_a_goal_is_met_by_the_worst_of_its_shapes_and_on_an_h200() -> None:
    def rows(last: float) -> Iterator[Row]:
        for shape, speed in (("full D128 L8192", 600.0), ("full D128 L16384", last)):
            yield timed("forward", shape, OURS, speed, 1.0)
            yield timed("forward", shape, FLEX, 400.0, speed / 400)

    goals = {goal["says"]: goal for goal in judged(list(rows(530.0)), "NVIDIA H200")}
    full = goals["forward, D 128, full, L ≥ 8192, TFLOP/s"]
    assert (full["measured"], full["least"], full["met"]) == (530, 530, True)
    missed = judged(list(rows(529.0)), "NVIDIA H200")[0]
    assert (missed["measured"], missed["met"]) == (529, False)
    alone = judged(list(rows(600.0))[:2], "NVIDIA H200")[0]
    assert (alone["measured"], alone["met"]) == (None, False)
    assert judged(list(rows(530.0)), "NVIDIA A100") == []


def test_who_is_slower_than_flex_anywhere_has_missed_that_goal() -> None:
    rows = [timed("forward", "a", FLEX, 1.0, 1.2), timed("forward", "b", FLEX, 1.0, 0.99)]
    assert judged(rows, "H200")[-2]["met"] is False
    assert judged(rows[:1], "H200")[-2]["met"] is True
    unknown = [rows[0], timed("forward", "b", FLEX, 1.0, None)]  # ours is wrong there
    assert judged(unknown, "H200")[-2]["met"] is False


def test_without_a_gpu_it_says_what_is_missing_and_leaves_well() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kernels.bench", "--quick"],
        capture_output=True,
        text=True,
        cwd=record.ROOT,
        env={"CUDA_VISIBLE_DEVICES": "", "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    assert "There is no GPU that torch" in done.stdout
    assert "so nothing was measured" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_a_record_of_a_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.options(["--record", "--quick"])
    assert "--record wants all of it" in capsys.readouterr().err


@pytest.mark.parametrize(("state", "status"), [("right", 0), ("wrong", 1), ("dead", 1)])
def test_the_exit_status_tells_of_our_kernels_and_of_the_gpu(
    monkeypatch: pytest.MonkeyPatch, state: str, status: int
) -> None:
    def found(*_: Any, **__: Any) -> dict[str, Any]:
        who = {"right": "other", "wrong": OURS, "dead": "other"}[state]
        row = Row("causal", "forward", who, "wrong", "out is off").plain()
        return {
            **{"dtype": "bfloat16", "rounds": 1, "matmul": None, "launch": [], "goals": []},
            **{"rows": [row], "fault": "The GPU is dead." if state == "dead" else None},
        }

    monkeypatch.setattr(command, "no_gpu", lambda: None)
    monkeypatch.setattr(command, "measure", found)
    monkeypatch.setattr(command, "CudaTimer", lambda: Clock(1.0))
    monkeypatch.setattr(record, "facts", lambda: FACTS)
    assert command.main([]) == status


def test_a_commit_is_known_only_where_git_knows_it(tmp_path: Path) -> None:
    assert record.state(tmp_path) == (None, None)

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels/a.py").write_text("1")
    git("add", ".")
    git("commit", "-qm", "one")
    (tmp_path / "docs").mkdir()  # a record, say
    (tmp_path / "docs/x.json").write_text("{}")
    commit, clean = record.state(tmp_path)
    assert (len(str(commit)), clean) == (40, True)
    (tmp_path / "kernels/a.py").write_text("2")
    assert record.state(tmp_path) == (commit, False)
