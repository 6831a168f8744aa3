"""Where code runs: what its output may depend on beside the code and the project's files."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

VARIABLES = ("CUDA_VISIBLE_DEVICES", "TRITON_INTERPRET", "PYTHONHASHSEED", "PYTHONPATH")
DEFAULTS = {  # pages run side by side, and sums in one order: threads would change both
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "agg",
    # glibc gives large arrays back to the system at once, and asks for them anew each time
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),
    "MALLOC_TRIM_THRESHOLD_": str(256 * 2**20),
}
KNOWN = {*VARIABLES, *DEFAULTS}


@dataclass(frozen=True)
class Environment:
    python: str
    system: str
    gpus: tuple[str, ...]  # their names, from the driver: asking torch would mean importing it
    variables: tuple[str, ...]  # NAME=value
    tool: str  # hash of proofread itself: what it asks of code, it may ask differently tomorrow

    @property
    def key(self) -> str:
        return hashlib.sha256(repr(asdict(self)).encode()).hexdigest()[:16]


def variables() -> dict[str, str]:
    """The environment variables that pages run with."""
    return DEFAULTS | os.environ


def current() -> Environment:
    return Environment(
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
        tuple(_gpus()),
        tuple(f"{name}={value}" for name, value in sorted(variables().items()) if name in KNOWN),
        _tool(),
    )


def has_gpu() -> bool:
    return bool(current().gpus)


def version(package: str) -> str:
    """The version of an installed distribution; empty if there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def packages(modules: Iterable[str]) -> dict[str, str]:
    """The distributions, with their versions, that top-level modules come from."""
    found: dict[str, str] = {}
    for module in sorted(set(modules) - sys.stdlib_module_names, key=str.lower):
        name = module.replace("_", "-")
        names = [name] if version(name) else _homes().get(module, ())
        found |= {name: version(name) for name in names}
    return found


@cache
def _tool() -> str:
    own = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        own.update(file.read_bytes())
    return own.hexdigest()[:16]


@cache
def _homes() -> Mapping[str, list[str]]:
    """Module -> distributions; it takes a while, and most are called like their module."""
    return metadata.packages_distributions()


def _gpus() -> list[str]:
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0") in ("", "-1"):
        return []
    cards = sorted(Path("/proc/driver/nvidia/gpus").glob("*/information"))
    names = [
        line.partition(":")[2].strip()
        for card in cards
        for line in card.read_text(errors="replace").splitlines()
        if line.startswith("Model:")
    ]
    if not names and Path("/dev/nvidiactl").exists():
        names = ["NVIDIA GPU"]
    return names or (["AMD GPU"] if Path("/dev/kfd").exists() else [])
