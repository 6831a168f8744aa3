"""Times the kernels beside others on a GPU, in one process, each checked before it is timed.

    python -m kernels.bench [--quick] [--only WORD] [--against NAME] [--json] [--record]

Forward and backward in bfloat16: contestants take turns, round by round, with the GPU's cache
cleared before every run. FLOPs are those of the pairs that take part: 4 · D a pair forward, 2.5
times that backward. The forward pass keeps what backward needs. Without a GPU it says so and
leaves with status 0; status 1 means that our kernel was wrong or failed, or that the GPU died.
"""

import argparse
import sys
import time
import traceback
from dataclasses import asdict
from typing import Any

import torch

import kernels
from kernels.bench import record, report
from kernels.bench.contestants import CONTESTANTS, OURS, Contestant
from kernels.bench.goals import judged
from kernels.bench.race import FAILED, WRONG, Poisoned, Row, overhead, race, reason
from kernels.bench.shapes import ALL, QUICK, SMALL, Shape
from kernels.bench.timing import CudaTimer, Timer, matrix_product

WITHOUT = (
    "kernels.bench times the attention kernels of this book on a GPU, forward and backward, beside "
    "those of torch (SDPA with flash and with cuDNN, compiled FlexAttention) and, where installed, "
    "flash-attn and fla. {why}, so nothing was measured. Run it where torch finds a GPU: all of it "
    "takes some minutes, --quick takes one."
)
PRODUCT = 8192  # the size of the matrices whose product is the measure of the card


def main(arguments: list[str]) -> int:
    """Measures, and prints the report, or JSON; the exit status."""
    asked = options(arguments)
    if why := no_gpu():
        print(WITHOUT.format(why=why), file=sys.stderr if asked.json else sys.stdout)
        return 0
    shapes = [
        shape
        for shape in (QUICK if asked.quick else ALL)
        if not asked.only or any(word in shape.name for word in asked.only)
    ]
    names = [OURS, *asked.against] if asked.against else list(CONTESTANTS)
    contestants = {name: CONTESTANTS[name] for name in names}
    found = measure(shapes, contestants, CudaTimer(), device="cuda", rounds=3 if asked.quick else 5)
    made = {**record.facts(), **found}
    print(record.text(made) if asked.json else report.text(made), flush=True)
    if asked.record:
        say(f"Recorded in {record.write(made).relative_to(record.ROOT)}")
    ours = (row for row in found["rows"] + found["launch"] if row["contestant"] == OURS)
    return 1 if found["fault"] or any(row["state"] in (WRONG, FAILED) for row in ours) else 0


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="kernels.bench", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few shapes, fewer rounds")
    parser.add_argument(
        "--only", metavar="WORD", action="append", help="shapes with this word in their name"
    )
    parser.add_argument(
        "--against", metavar="NAME", choices=CONTESTANTS, action="append", help="not all, but these"
    )
    parser.add_argument("--json", action="store_true", help="print the record")
    parser.add_argument("--record", action="store_true", help=f"write it below {record.FOLDER}")
    asked = parser.parse_args(arguments)
    if asked.record and (asked.quick or asked.only or asked.against):
        parser.error("--record wants all of it: leave out --quick, --only and --against")
    return asked


def no_gpu() -> str | None:
    """Why nothing can be measured here."""
    if not torch.cuda.is_available():
        return f"There is no GPU that torch {torch.__version__} can use here"
    return "Triton interprets here (TRITON_INTERPRET=1)" if kernels.INTERPRETED else None


def measure(
    shapes: list[Shape],
    contestants: dict[str, Contestant],
    timer: Timer,
    *,
    device: str,
    rounds: int,
) -> dict[str, Any]:
    """What a record says of the runs; as much as was known when the GPU died, if it did."""
    began, rows, launch = time.monotonic(), [], []
    product, fault = None, None
    try:
        product = {"n": PRODUCT, "tflops": matrix_product(timer, PRODUCT, device)}
        for shape in shapes:
            for row in race(shape, contestants, timer, device=device, rounds=rounds):
                rows.append(row)
            say(f"{time.monotonic() - began:4.0f} s  {shape.name}: {_told(rows, shape)}")
        for row in overhead(contestants, SMALL, device):
            launch.append(row)
    except Poisoned as error:
        fault = str(error)
    except Exception as error:  # of the bench itself: what it knows already is not lost
        traceback.print_exc()
        fault = f"The bench failed. {reason(error)}"
    return {
        "dtype": "bfloat16",
        "rounds": rounds,
        "seconds": round(time.monotonic() - began),
        "matmul": product,
        "shapes": [{**asdict(shape), "pairs": shape.pairs} for shape in shapes],
        "rows": [row.plain() for row in rows],
        "launch": [row.plain() for row in launch],
        "goals": judged(rows, torch.cuda.get_device_name() if device == "cuda" else device),
        "fault": fault,
    }


def say(told: str) -> None:
    print(told, file=sys.stderr, flush=True)


def _told(rows: list[Row], shape: Shape) -> str:
    return ", ".join(_brief(row) for row in rows if row.shape == shape.name and row.tflops) or "–"


def _brief(row: Row) -> str:
    return f"{row.contestant} {row.of} {row.tflops:.0f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
