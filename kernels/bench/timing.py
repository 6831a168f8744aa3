"""How long calls take on a GPU, between CUDA events, with nothing of the last call in the cache."""

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import torch

Call = Callable[[], Any]


class Spread(NamedTuple):
    """A median between its quartiles."""

    low: float
    median: float
    high: float


class Timer(Protocol):
    def settle(self, call: Call) -> int:
        """Warms up; how many runs a round should have."""

    def take(self, call: Call, runs: int) -> list[float]:
        """Milliseconds of each of so many runs."""


class CudaTimer:
    """Rounds of `budget` milliseconds, of 3 to 50 runs."""

    def __init__(self, budget: float = 30.0) -> None:
        self.budget = budget
        held = int(getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0))
        self.other = torch.empty(max(4 * held, 2**28), dtype=torch.int8, device="cuda")

    def settle(self, call: Call) -> int:
        for _ in range(3):
            call()
        return min(50, max(3, round(self.budget / statistics.median(self.take(call, 3)))))

    def take(self, call: Call, runs: int) -> list[float]:
        cuda: Any = torch.cuda  # which has few types
        events = [[cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(runs)]
        for begin, end in events:
            # The GPU has something else to do until the CPU has launched all of the call.
            cuda._sleep(1_000_000)
            self.other.zero_()
            begin.record()
            call()
            end.record()
        torch.cuda.synchronize()
        return [begin.elapsed_time(end) for begin, end in events]


def spread(samples: list[float]) -> Spread:
    """The median and the quartiles of at least one sample."""
    if len(samples) == 1:
        return Spread(*samples * 3)
    return Spread(*statistics.quantiles(samples, n=4, method="inclusive"))


def launches(call: Call, synchronize: Call, runs: int = 200) -> list[float]:
    """Microseconds of the CPU a call, while the GPU has less to do than that."""
    found = []
    for n in range(runs + 20):
        begin = time.perf_counter()
        call()
        found.append(1e6 * (time.perf_counter() - begin))
        if n % 20 == 19:
            synchronize()
    return found[20:]


def matrix_product(timer: Timer, n: int, device: str) -> float:
    """TFLOP/s of torch's product of two n × n matrices in bfloat16: what the card can do today."""
    a, b = (torch.randn(n, n, device=device).bfloat16() for _ in range(2))

    def call() -> torch.Tensor:
        return a @ b

    timer.settle(call)
    return 2 * n**3 / spread(timer.take(call, 20)).median / 1e9
