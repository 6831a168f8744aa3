"""Compiles the kernels for GPUs that are not here, and shows what they would take of each.

    python -m kernels.compile [--target sm_90] [--kernel forward] [--dtype bfloat16] [--head 64]
                              [--variant causal] [--every] [--json] [--record]

Nothing is run, and no GPU is needed. The exit status is 1 if a kernel spills registers to memory,
wants more shared memory than the card has, misses the card's instructions for matrices, or copies
nothing while it computes. Without --every, it is the matrix that the book shows.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import triton

from kernels import INTERPRETED
from kernels.binaries import CARDS, Report, report
from kernels.elsewhere import VARIANTS, Call, compiled

RECORD = Path(__file__).parents[1] / "docs/reference/compiled.json"
KERNELS = ("forward", "backward_q", "backward_kv")
DTYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}  # torch's name and ours
HEADS = (32, 64, 96, 128, 256)  # each of the tiles, and one that fills none
MATRIX = [
    *(Call("bfloat16", D, variant) for D in (64, 128) for variant in VARIANTS),
    *(Call("bfloat16", D, variant) for D in (32, 256) for variant in ("causal", "bias")),
    Call("bfloat16", 96, "causal"),
    *(Call("float16", D, "causal") for D in (64, 128)),
    *(Call("float32", D, "causal") for D in (32, 64, 128, 256)),
]


def main(arguments: list[str]) -> int:
    """Prints the table, or JSON; the exit status."""
    if INTERPRETED:  # the mode of a process can't be changed
        again = [sys.executable, "-m", "kernels.compile", *arguments]
        return subprocess.run(again, env={**os.environ, "TRITON_INTERPRET": "0"}).returncode
    parser = argparse.ArgumentParser(prog="kernels.compile", description=__doc__.split("\n")[0])
    for name, choices in {
        "target": CARDS,
        "kernel": KERNELS,
        "dtype": DTYPES,
        "variant": VARIANTS,
    }.items():
        parser.add_argument(f"--{name}", choices=choices, action="append", help="all, if not given")
    parser.add_argument("--head", type=int, action="append", help=f"{HEADS}, if not given")
    parser.add_argument("--every", action="store_true", help="each variant of each head and dtype")
    parser.add_argument("--json", action="store_true", help="a list of objects, not a table")
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name}, for the book")
    asked = parser.parse_args(arguments)

    kernels = tuple(asked.kernel or KERNELS)
    work = list(product(asked.target or CARDS, _calls(asked)))
    if not work:
        parser.error("the matrix has no such call: add --every")
    if asked.record and (kernels != KERNELS or len(work) != len(CARDS) * len(MATRIX)):
        parser.error("--record takes the whole matrix, and nothing else")

    reports = []
    if not asked.json:
        print(_line("target", "kernel", "shape", "registers", "spills", "shared", "instructions"))
    for found in _reports(work, kernels):
        reports.append(found)
        if not asked.json:
            print(_row(found), flush=True)
    if asked.json:
        print(_lines(reports))
    faults = [fault for found in reports for fault in found.faults()]
    for fault in faults:
        print(f"FAULT: {fault}", file=sys.stderr)
    if asked.record and not faults:
        RECORD.write_text(
            f'{{"date": "{date.today()}",\n"versions": {json.dumps(versions())},\n'
            f'"kernels": {_lines(reports)}}}\n'
        )
    return 1 if faults else 0


def versions() -> dict[str, str]:
    """Of what makes the binaries."""
    nvidia = triton.knobs.nvidia
    return {
        "Triton": triton.__version__,
        "ptxas": nvidia.ptxas.version,
        "ptxas for Blackwell": nvidia.ptxas_blackwell.version,
    }


def _calls(asked: argparse.Namespace) -> list[Call]:
    """Those of the matrix, or of all, that the options leave."""
    given = ((asked.dtype, DTYPES), (asked.head, HEADS), (asked.variant, VARIANTS))
    calls = [Call(*call) for call in product(*(one or every for one, every in given))]
    return calls if asked.every else [call for call in MATRIX if call in calls]


def _reports(work: list[tuple[str, Call]], kernels: tuple[str, ...]) -> Iterator[Report]:
    """In the order of the work, which two processes share."""
    processes = min(os.cpu_count() or 1, len(work))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for found in pool.map(_compile, work, [kernels] * len(work)):
            yield from found


def _compile(one: tuple[str, Call], kernels: tuple[str, ...]) -> list[Report]:
    target, call = one
    shape = f"{DTYPES[call.dtype]} D={call.D} {call.variant}"
    binaries = compiled(call, CARDS[target].target, list(CARDS).index(target), kernels)
    return [report(name, target, shape, binary) for name, binary in binaries.items()]


def _lines(reports: list[Report]) -> str:
    """A list in JSON, with a line for each kernel."""
    return "[\n" + ",\n".join(json.dumps(found.fields()) for found in reports) + "\n]"


def _row(r: Report) -> str:
    counts = " ".join(f"{name}×{count}" for name, count in r.instructions.items())
    return _line(r.target, r.kernel, r.shape, r.registers, r.spilled, r.shared, counts)


def _line(*cells: object) -> str:
    return "{:7} {:12} {:18} {:>9} {:>6} {:>7}  {}".format(*cells)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
