"""Contestants for tests of the bench: right, wrong, broken; and a clock that is told the time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import attnref
from kernels.bench import contestants, race, timing
from kernels.bench.contestants import HEADS, OURS
from kernels.bench.race import Row
from kernels.bench.shapes import Shape

CAUSAL = Shape("causal", 2, 4, 2, 48, 16, causal=True)


SMALL = [
    Shape("full", 1, 2, 1, 48, 16),
    CAUSAL,
    Shape("window", 1, 2, 2, 48, 16, causal=True, window=5),
    Shape("packed", 1, 2, 2, 48, 16, causal=True, lengths=(20, 17, 11)),
    Shape("blocks", 1, 2, 2, 48, 16, block=8),
]


class Clock:
    """A timer by which every run of a call takes as long as the test says."""

    def __init__(self, *told: float) -> None:
        self.told, self.taken = told, 0

    def settle(self, call: timing.Call) -> int:
        call()
        return 2

    def take(self, call: timing.Call, runs: int) -> list[float]:
        call()
        self.taken += 1
        return [self.told[self.taken % len(self.told)]] * runs


def attend(call: Callable[..., Any], *tensors: Any, **options: Any) -> Any:
    """A call of attnref in float32, for bfloat16."""
    wide = (x.float() if x.is_floating_point() else x for x in tensors)
    return call(*wide, **options).bfloat16()


def right(shape: Shape, device: str) -> Any:
    """Plain, and quicker here than the interpreter."""
    window = None if shape.window is None else (shape.window, 0)
    return HEADS, partial(attend, attnref.attention, causal=shape.causal, window=window)


def unmasked(shape: Shape, device: str) -> Any:
    return HEADS, partial(attend, attnref.attention)


def wrong_backward(shape: Shape, device: str) -> Any:
    layout, attend = right(shape, device)
    return layout, lambda q, k, v: attend(q, 2 * k - k.detach(), v)


def raising(error: Exception) -> contestants.Contestant:
    def contestant(shape: Shape, device: str) -> Any:
        raise error

    return contestant


def run(others: dict[str, contestants.Contestant], **told: Any) -> list[Row]:
    both = {OURS: right, **others}
    shape = told.pop("shape", CAUSAL)
    return list(race.race(shape, both, told.pop("clock", Clock(1.0)), device="cpu", rounds=2))
