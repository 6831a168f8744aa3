"""What the kernels want to reach on one H200, beside what was measured: met or missed."""

from typing import Any, NamedTuple

from kernels.bench.contestants import FLEX, OURS
from kernels.bench.race import TIMED, Row
from kernels.bench.shapes import PASSES, SQUARES


class Goal(NamedTuple):
    """So many TFLOP/s at the least, at each of the square shapes with 8,192 tokens or more."""

    of: str
    D: int
    causal: bool
    least: int

    @property
    def says(self) -> str:
        kind = "causal" if self.causal else "full"
        return f"{self.of}, D {self.D}, {kind}, L ≥ 8192, TFLOP/s"


GOALS = (
    Goal("forward", 128, causal=False, least=530),
    Goal("forward", 128, causal=True, least=480),
    Goal("forward", 64, causal=False, least=430),
    Goal("forward", 64, causal=True, least=390),
    Goal("backward", 128, causal=False, least=400),
    Goal("backward", 128, causal=True, least=400),
)


def judged(rows: list[Row], card: str) -> list[dict[str, Any]]:
    """Each goal, with the worst that was measured: None unless all its shapes were. [] elsewhere
    than on an H200."""
    if "H200" not in card:
        return []
    ours = {(row.of, row.shape): row.tflops for row in rows if row.contestant == OURS}
    found = []
    for goal in GOALS:
        asked = [
            shape.name
            for shape in SQUARES
            if (shape.D, shape.causal) == (goal.D, goal.causal) and shape.L >= 8192
        ]
        found.append(_verdict(goal.says, goal.least, [ours.get((goal.of, x)) for x in asked]))
    for of in PASSES:
        ratios = [r.ratio for r in rows if (r.of, r.contestant, r.state) == (of, FLEX, TIMED)]
        says = f"{of}, speed over that of compiled FlexAttention, wherever that runs"
        found.append(_verdict(says, 1, ratios))
    return found


def _verdict(says: str, least: float, measured: list[float | None]) -> dict[str, Any]:
    known = [float(f"{x:.5g}") for x in measured if x is not None]
    worst = min(known) if known and len(known) == len(measured) else None
    met = worst is not None and worst >= least
    return {"says": says, "least": least, "measured": worst, "met": met}
