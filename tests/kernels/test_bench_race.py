"""Contestants are checked before they are timed, take turns, and nobody stops the others."""

from __future__ import annotations

from typing import Any, cast

import pytest
import torch

from kernels.bench import contestants, timing
from kernels.bench.contestants import Unfit
from kernels.bench.shapes import Shape
from kernels.bench.timing import Spread
from tests.kernels.racers import (
    CAUSAL,
    Clock,
    raising,
    right,
    run,
    unmasked,
    wrong_backward,
)


def test_a_wrong_contestant_is_named_and_not_timed() -> None:
    rows = {(r.contestant, r.of): r for r in run({"unmasked": unmasked, "back": wrong_backward})}
    for key in (("unmasked", "forward"), ("unmasked", "backward"), ("back", "backward")):
        assert rows[key].state == "wrong"
        assert "is off by" in str(rows[key].why)
        assert rows[key].ms is None is rows[key].tflops
    assert str(rows["back", "backward"].why).startswith("dk ")
    assert rows["back", "forward"].state == "timed"


@pytest.mark.parametrize(
    ("error", "state", "why"),
    [
        (Unfit("has none"), "unfit", "has none"),
        (ImportError("no x"), "not installed", "ImportError: no x"),
        (RuntimeError("bad\nlong story"), "failed", "RuntimeError: bad"),
        (AssertionError(), "failed", "AssertionError: "),
    ],
)
def test_who_can_not_run_is_named_and_stops_nobody(error: Exception, state: str, why: str) -> None:
    rows = run({"broken": raising(error), "right": right})
    broken = [row for row in rows if row.contestant == "broken"]
    assert [(row.of, row.state, row.why) for row in broken] == [
        ("forward", state, why),
        ("backward", state, why),
    ]
    assert sum(row.state == "timed" for row in rows) == 4


def test_who_fails_on_the_way_is_not_timed_either_and_not_called_again() -> None:
    calls = []

    def weak(shape: Shape, device: str) -> Any:
        layout, attend = right(shape, device)

        def call(*tensors: Any) -> Any:
            calls.append(1)
            if len(calls) > 2:  # after the check and the warm-up
                raise RuntimeError("worn out")
            return attend(*tensors)

        return layout, call

    rows = {(r.contestant, r.of): r for r in run({"weak": weak, "right": right})}
    assert (rows["weak", "forward"].state, rows["weak", "forward"].ms) == ("failed", None)
    assert rows["weak", "backward"].state == "timed"
    assert rows["right", "forward"].state == "timed"
    assert len(calls) == 3


def test_contestants_take_turns() -> None:
    order: list[str] = []

    def noting(name: str) -> contestants.Contestant:
        def contestant(shape: Shape, device: str) -> Any:
            layout, attend = right(shape, device)
            return layout, lambda q, k, v: [order.append(name), attend(q, k, v)][1]

        return contestant

    run({"a": noting("a"), "b": noting("b")})
    assert order[:2] == ["a", "b"]  # the check
    assert order[2:] == ["a", "b"] * 3  # the warm-up, and two rounds


def test_medians_quartiles_and_ratios_are_those_of_the_samples() -> None:
    assert timing.spread([3.0]) == (3, 3, 3)
    assert timing.spread([5.0, 1.0, 2.0, 4.0, 3.0]) == (2, 3, 4)
    rows = run({"right": right}, clock=Clock(4.0, 2.0))  # ours takes 2 ms, the other 4
    ours, other = (r for r in rows if r.of == "forward")
    assert (ours.ms, ours.ratio) == (Spread(2, 2, 2), 1)
    assert (other.ms, other.ratio) == (Spread(4, 4, 4), 2)
    assert ours.tflops == pytest.approx(CAUSAL.flops("forward") / 2e-3 / 1e12)


def test_the_cpu_is_timed_call_by_call() -> None:
    synchronized = []
    found = timing.launches(lambda: None, lambda: synchronized.append(1), runs=40)
    assert len(found) == 40
    assert len(synchronized) == 3
    assert all(us >= 0 for us in found)


def test_each_run_finds_a_busy_gpu_and_an_empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    class Event:
        def __init__(self, enable_timing: bool) -> None:
            assert enable_timing

        def record(self) -> None:
            order.append("clock")

        def elapsed_time(self, end: Event) -> float:
            return 4.0

    class Other:
        def zero_(self) -> None:
            order.append("cache")

    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "_sleep", lambda cycles: order.append("busy"))
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: order.append("wait"))
    timer = object.__new__(timing.CudaTimer)
    timer.budget, timer.other = 30.0, cast("torch.Tensor", Other())
    assert timer.take(lambda: order.append("call"), 2) == [4.0, 4.0]
    assert order == [*["busy", "cache", "clock", "call", "clock"] * 2, "wait"]
    for budget, runs in ((30.0, 8), (1.0, 3), (1e6, 50)):
        timer.budget = budget
        assert timer.settle(lambda: None) == runs
