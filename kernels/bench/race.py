"""One shape: all contestants are checked, then those that are right take turns, round by round.

Nothing that one of them does stops the others, unless it leaves the GPU unusable: then no call of
this process works any more, and Poisoned says whose fault it was, after all that is known.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple

import torch

from kernels.bench.contestants import OURS, Contestant, Unfit
from kernels.bench.judge import Problem, Truth, draw, fault, truth
from kernels.bench.shapes import PASSES, Shape
from kernels.bench.timing import Call, Spread, Timer, launches, spread

TIMED, WRONG, FAILED, UNFIT, ABSENT = "timed", "wrong", "failed", "unfit", "not installed"


class Poisoned(Exception):
    """The GPU answers no more."""


@dataclass(frozen=True)
class Row:
    """What is known of one contestant in one pass over one shape."""

    shape: str
    of: str  # the pass
    contestant: str
    state: str
    why: str | None = None  # it was not timed
    ms: Spread | None = None
    tflops: float | None = None
    ratio: float | None = None  # our speed over its: median over the rounds; above 1 it is slower

    def plain(self) -> dict[str, Any]:
        """For JSON, as it is written in a record: what is None is left out."""
        return {key: _short(value) for key, value in asdict(self).items() if value is not None}


class Runner(NamedTuple):
    """A contestant that is right, and what to call in each pass it is right in."""

    name: str
    calls: dict[str, Call]


def race(
    shape: Shape,
    contestants: dict[str, Contestant],
    timer: Timer,
    *,
    device: str,
    rounds: int,
) -> Iterator[Row]:
    """A row for each contestant and pass."""
    problem = draw(shape, device)
    true = truth(problem)
    runners = []
    for name, contestant in contestants.items():
        runner, rows = line_up(name, contestant, problem, true)
        runners.append(runner)
        yield from rows
    for of in PASSES:
        calls = {runner.name: runner.calls[of] for runner in runners if of in runner.calls}
        yield from _turns(shape, of, calls, timer, device, rounds)


def line_up(
    name: str, contestant: Contestant, problem: Problem, true: Truth
) -> tuple[Runner, list[Row]]:
    """The calls of a contestant that give the right numbers, and a row for each other."""
    shape, device = problem.shape, problem.q.device.type
    calls: dict[str, Call] = {}
    made: dict[str, tuple[Call, Callable[[torch.Tensor], torch.Tensor]]] = {}

    def forward() -> str | None:
        layout, attend = contestant(shape, device)
        leaves = [layout.there(x).requires_grad_() for x in (problem.q, problem.k, problem.v)]
        out, d_out = attend(*leaves), layout.there(problem.d_out)
        if wrong := fault("out", layout.back(out), true.out, shape):
            return wrong

        def again() -> tuple[torch.Tensor, ...]:
            return torch.autograd.grad(out, leaves, d_out, retain_graph=True)

        calls["forward"] = lambda: attend(*leaves)
        made["backward"] = lambda: again(), layout.back
        return None

    def backward() -> str | None:
        again, back = made["backward"]
        for what, x, expected in zip(("dq", "dk", "dv"), again(), true[1:], strict=True):
            if wrong := fault(what, back(x), expected, shape):
                return wrong
        calls["backward"] = again
        return None

    rows: list[Row] = []
    for of, check in zip(PASSES, (forward, backward), strict=True):
        if rows:  # backward has the fault of forward
            rows.append(Row(shape.name, of, name, rows[0].state, rows[0].why))
        elif (state := attempt(f"{name}, {shape.name}, {of}", check, device)) is not None:
            rows.append(Row(shape.name, of, name, *state))
    return Runner(name, calls), rows


def attempt(who: str, check: Callable[[], str | None], device: str) -> tuple[str, str] | None:
    """None if all is well, or the state and the reason. Raises Poisoned."""
    try:
        wrong = check()
        synchronize(device)
    except Unfit as error:
        return UNFIT, str(error)
    except ImportError as error:
        return ABSENT, reason(error)
    except Exception as error:  # whatever it is, it is theirs
        try:
            synchronize(device)
        except Exception as after:
            raise Poisoned(f"The GPU is dead. {who}: {reason(after)}") from error
        return FAILED, reason(error)
    return None if wrong is None else (WRONG, wrong)


def overhead(contestants: dict[str, Contestant], shape: Shape, device: str) -> Iterator[Row]:
    """The CPU's time for a call, where the GPU has almost nothing to do."""
    problem = draw(shape, device)
    true = truth(problem)
    for name, contestant in contestants.items():
        runner, rows = line_up(name, contestant, problem, true)
        yield from rows
        for of, call in runner.calls.items():
            found = spread([us / 1000 for us in launches(call, lambda: synchronize(device))])
            yield Row(shape.name, of, name, TIMED, ms=found)


def reason(error: BaseException) -> str:
    """What an error says first, in a line."""
    lines = str(error).strip().splitlines() or [""]
    told = f"{type(error).__name__}: {lines[0]}"[:200]
    return "".join(x if x.isprintable() else " " for x in told)


def synchronize(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _turns(
    shape: Shape, of: str, calls: dict[str, Call], timer: Timer, device: str, rounds: int
) -> Iterator[Row]:
    samples: dict[str, list[list[float]]] = {name: [] for name in calls}
    runs: dict[str, int] = {}
    failed: dict[str, tuple[str, str]] = {}

    def one(name: str) -> None:
        if name in runs:
            samples[name].append(timer.take(calls[name], runs[name]))
        else:
            runs[name] = timer.settle(calls[name])

    poison: Poisoned | None = None
    try:
        for _ in range(rounds + 1):  # the first is for warming up
            for name in [name for name in calls if name not in failed]:
                state = attempt(f"{name}, {shape.name}, {of}", partial(one, name), device)
                if state is not None:
                    failed[name] = state
    except Poisoned as error:
        poison = error
    for name, (what, why) in failed.items():
        yield Row(shape.name, of, name, what, why)
    for name, taken in samples.items():
        if taken and name not in failed:
            yield _timed(shape, of, name, taken, samples.get(OURS, []))
    if poison:
        raise poison


def _timed(
    shape: Shape, of: str, name: str, taken: list[list[float]], own: list[list[float]]
) -> Row:
    ms = spread([x for part in taken for x in part])
    tflops = shape.flops(of) / ms.median / 1e9
    each = [
        spread(theirs).median / spread(mine).median
        for theirs, mine in zip(taken, own, strict=False)
    ]
    ratio = spread(each).median if each else None
    return Row(shape.name, of, name, TIMED, ms=ms, tflops=tflops, ratio=ratio)


def _short(value: Any) -> Any:
    """Numbers with five digits: no clock is better than that."""
    if isinstance(value, tuple):
        return [_short(x) for x in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value
