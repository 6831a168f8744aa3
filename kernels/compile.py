"""Compiles the kernels for GPUs that are not here, and shows what they would take of each.

    python -m kernels.compile [--target sm_90] [--dtype bfloat16] [--head 64] [--json]

Nothing is run, and no GPU is needed. The exit status is 1 if a kernel spills registers to memory,
wants more shared memory than the card has, or misses the card's instructions for matrices.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from kernels import INTERPRETED
from kernels.attention import forward
from kernels.tiles import constants


class Card(NamedTuple):
    """How Triton calls a GPU, what it has, and what a kernel has to use of it."""

    target: Any
    shared: int  # bytes that one program can have
    matrix: str  # how its instructions for products of float16 and bfloat16 matrices start


CARDS = {
    "sm_80": Card(GPUTarget("cuda", 80, 32), 166_912, "HMMA"),  # A100
    "sm_90": Card(GPUTarget("cuda", 90, 32), 232_448, "HGMMA"),  # H100, H200
    "sm_100": Card(GPUTarget("cuda", 100, 32), 232_448, "UTCHMMA"),  # B200
    "sm_120": Card(GPUTarget("cuda", 120, 32), 101_376, "HMMA"),  # RTX 5090
    "gfx942": Card(GPUTarget("hip", "gfx942", 64), 65_536, "v_mfma"),  # MI300X
}
DTYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}  # torch's name and Triton's
HEADS = (32, 64, 128, 256)  # each of the kernel's tiles

# What is counted: products of matrices, copies to shared memory that need no waiting, spills.
_COUNTED = ("HMMA", "HGMMA", "UTCHMMA", "LDGSTS", "UTMALDG", "LDL", "STL", "v_mfma", "scratch_")


@dataclass(frozen=True)
class Report:
    """What one kernel takes of one card: registers a thread; stack and shared memory in bytes."""

    kernel: str
    target: str
    shape: str
    registers: int
    stack: int  # what did not fit into registers
    shared: int
    instructions: dict[str, int]

    def faults(self) -> list[str]:
        """What is wrong with it, in sentences."""
        card, wrong = CARDS[self.target], []
        if self.stack:
            wrong.append(f"spills {self.stack} bytes of registers to memory")
        if self.shared > card.shared:
            wrong.append(f"wants {self.shared} bytes of shared memory, the card has {card.shared}")
        if not self.shape.startswith("fp32") and card.matrix not in self.instructions:
            wrong.append(f"has no {card.matrix} instruction")
        return [f"{self.kernel} for {self.target}, {self.shape}: {what}" for what in wrong]


def main(arguments: list[str]) -> int:
    """Prints the table, or JSON; the exit status."""
    if INTERPRETED:  # the mode of a process can't be changed
        again = [sys.executable, "-m", "kernels.compile", *arguments]
        return subprocess.run(again, env={**os.environ, "TRITON_INTERPRET": "0"}).returncode
    parser = argparse.ArgumentParser(prog="kernels.compile", description=__doc__.split("\n")[0])
    parser.add_argument("--target", choices=CARDS, action="append", help="all, if not given")
    parser.add_argument("--dtype", choices=DTYPES, action="append", help="all, if not given")
    parser.add_argument("--head", type=int, action="append", help=f"{HEADS}, if not given")
    parser.add_argument("--json", action="store_true", help="a list of objects, not a table")
    asked = parser.parse_args(arguments)

    matrix = product(asked.target or CARDS, asked.dtype or DTYPES, asked.head or HEADS)
    reports, faults = [], []
    if not asked.json:
        print(_line("target", "kernel", "shape", "registers", "stack", "shared", "instructions"))
    for target, dtype, D in matrix:
        for causal in (False, True):
            report = compile_attention(target, dtype, D, causal)
            reports.append(report)
            faults += report.faults()
            if not asked.json:
                print(_row(report), flush=True)
    if asked.json:
        print(json.dumps([asdict(report) for report in reports], indent=1))
    for fault in faults:
        print(f"FAULT: {fault}", file=sys.stderr)
    return 1 if faults else 0


def compile_attention(target: str, dtype: str, D: int, causal: bool) -> Report:
    """The kernel of `attention`, for aligned inputs whose last axis is contiguous."""
    card = CARDS[target].target
    fixed = constants(D, D, getattr(torch, dtype), card.backend) | {"CAUSAL": causal}
    options = {name: fixed.pop(name) for name in ("num_warps", "num_stages")}
    signature: dict[str, Any] = {}
    values: dict[tuple[int, ...], Any] = {}  # by position of the argument, and in its tuple
    multiples_of_16: list[tuple[int, ...]] = []
    for n, name in enumerate(forward.arg_names):
        if name in fixed:
            signature[name], values[n,] = "constexpr", fixed[name]
        elif name.endswith("_strides"):
            signature[name], values[n, 3] = ("i32", "i32", "i32", "constexpr"), 1
            multiples_of_16 += [(n, 0), (n, 1), (n, 2)]
        elif name.endswith("_ptr"):
            signature[name] = "*fp32" if name == "lse_ptr" else f"*{DTYPES[dtype]}"
            multiples_of_16.append((n,))
        else:
            signature[name] = "fp32" if name == "scale_log2" else "i32"
    attributes = {at: [["tt.divisibility", 16]] for at in multiples_of_16}
    source = ASTSource(forward, signature, constexprs=values, attrs=attributes)
    compiled = triton.compile(source, target=card, options=options)
    shape = f"{DTYPES[dtype]} D={D}{' causal' * causal}"
    return Report("attention forward", target, shape, **_resources(compiled))


def _resources(compiled: Any) -> dict[str, Any]:
    """Registers, stack, shared memory and instructions, from the binary or the assembly."""
    if "cubin" in compiled.asm:
        usage, assembly = (_cuobjdump(compiled.asm["cubin"], x) for x in ("-res-usage", "-sass"))
        registers, stack = (_number(rf"{name}:(\d+)", usage) for name in ("REG", "STACK"))
    else:
        assembly = compiled.asm["amdgcn"]
        registers, stack, spilled = (
            _number(rf"\.{name}: +(\d+)", assembly)
            for name in ("vgpr_count", "private_segment_fixed_size", "vgpr_spill_count")
        )
        stack = max(stack, 4 * spilled)
    counts = {name: len(re.findall(rf"\b{name}", assembly)) for name in _COUNTED}
    return {
        "registers": registers,
        "stack": stack,
        "shared": compiled.metadata.shared,
        "instructions": {name: count for name, count in counts.items() if count},
    }


def _cuobjdump(cubin: bytes, option: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "kernel.cubin")
        file.write_bytes(cubin)
        tool = triton.knobs.nvidia.cuobjdump.path
        return subprocess.run(
            [tool, option, file], capture_output=True, text=True, check=True
        ).stdout


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError(f"no {pattern} in what the compiler's tools say: {text[-300:]!r}")
    return int(found[1])


def _row(report: Report) -> str:
    counts = " ".join(f"{name}×{count}" for name, count in report.instructions.items())
    r = report
    return _line(r.target, r.kernel, r.shape, r.registers, r.stack, r.shared, counts)


def _line(*cells: object) -> str:
    return "{:7} {:18} {:18} {:>9} {:>5} {:>7}  {}".format(*cells)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
