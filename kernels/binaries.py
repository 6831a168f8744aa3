"""What a binary takes of a card, and what is wrong with that."""

import re
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import triton
from triton.backends.compiler import GPUTarget


class Card(NamedTuple):
    """How Triton calls a GPU, what it has, and what a kernel has to use of it."""

    target: Any
    shared: int  # bytes that one program can have
    matrix: str  # its instructions for products of float16 and bfloat16 matrices
    copies: tuple[str, ...]  # its copies to shared memory that go on by themselves


CARDS = {
    "sm_80": Card(GPUTarget("cuda", 80, 32), 166_912, "HMMA", ("LDGSTS",)),  # A100
    "sm_90": Card(GPUTarget("cuda", 90, 32), 232_448, "HGMMA", ("LDGSTS", "UTMALDG")),  # H100
    "sm_100": Card(GPUTarget("cuda", 100, 32), 232_448, "UTCHMMA", ("LDGSTS", "UTMALDG")),  # B200
    "sm_120": Card(GPUTarget("cuda", 120, 32), 101_376, "HMMA", ("LDGSTS", "UTMALDG")),  # RTX 5090
    "gfx942": Card(GPUTarget("hip", "gfx942", 64), 65_536, "v_mfma", ()),  # MI300X
}
# What misses the card's instructions for matrices, by kernel, card and width, and why it may.
_TWO_SUMS = "32 keys a tile: with the 64 that they take, the sums of dk and dv leave no registers"
EXCUSED = {("backward_kv", card, "D=256"): _TWO_SUMS for card in ("sm_90", "sm_100")}

# What is counted: products of matrices, copies that go on by themselves, and spills.
_COUNTED = (
    *("HMMA", "HGMMA", "UTCHMMA", "v_mfma", "LDGSTS", "UTMALDG"),
    *("LDL", "STL", "scratch_load", "scratch_store"),
)


@dataclass(frozen=True)
class Report:
    """What one kernel takes of one card: registers a thread; the rest in bytes."""

    kernel: str
    target: str
    shape: str
    registers: int
    shared: int
    instructions: dict[str, int]
    stack: int | None = None  # what did not fit into registers, for NVIDIA
    scratch: int | None = None  # the same, for AMD
    vgpr_spill: int | None = None  # and how many registers that is

    @property
    def spilled(self) -> int:
        """Bytes for each thread that did not fit into registers."""
        return max(self.stack or 0, self.scratch or 0, 4 * (self.vgpr_spill or 0))

    def fields(self) -> dict[str, Any]:
        """Those that the card has."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def faults(self) -> list[str]:
        """What is wrong with it, in sentences."""
        card, wrong = CARDS[self.target], []
        if self.spilled:
            wrong.append(f"spills {self.spilled} bytes of registers to memory")
        if self.shared > card.shared:
            wrong.append(f"wants {self.shared} bytes of shared memory, the card has {card.shared}")
        dtype, width, *_ = self.shape.split()
        matrix = "HMMA" if (self.kernel, self.target, width) in EXCUSED else card.matrix
        if dtype != "fp32" and matrix not in self.instructions:
            wrong.append(f"has no {matrix} instruction")
        if card.copies and not any(name in self.instructions for name in card.copies):
            wrong.append(f"copies nothing while it computes: no {' or '.join(card.copies)}")
        return [f"{self.kernel} for {self.target}, {self.shape}: {what}" for what in wrong]


def report(kernel: str, target: str, shape: str, binary: Any) -> Report:
    """What a binary of Triton says of itself."""
    if "cubin" in binary.asm:
        usage, assembly = (_cuobjdump(binary.asm["cubin"], x) for x in ("-res-usage", "-sass"))
        used = {"registers": r"REG:(\d+)", "stack": r"STACK:(\d+)"}
    else:
        usage = assembly = binary.asm["amdgcn"]
        used = {
            "registers": r"\.vgpr_count: +(\d+)",
            "scratch": r"\.private_segment_fixed_size: +(\d+)",
            "vgpr_spill": r"\.vgpr_spill_count: +(\d+)",
        }
    counts = {name: len(re.findall(rf"\b{name}(?![A-Z])", assembly)) for name in _COUNTED}
    return Report(
        kernel,
        target,
        shape,
        shared=binary.metadata.shared,
        instructions={name: count for name, count in counts.items() if count},
        **{name: _number(pattern, usage) for name, pattern in used.items()},
    )


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
