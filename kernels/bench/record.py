"""What a record says beside its numbers: the card, the versions, the date, the commit."""

import json
import platform
import re
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
import triton

ROOT = Path(__file__).parents[2]
FOLDER = "docs/reference/kernels-bench"
_OTHERS = ("flash-attn", "flash-attn-3", "flash-linear-attention", "fla-core")


def facts() -> dict[str, Any]:
    """Of this machine and this copy of the book, now."""
    card = torch.cuda.get_device_properties(0)
    commit, clean = state(ROOT)
    driver = _said("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
    return {
        "format": 1,
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit,
        "clean": clean,
        "card": {
            "name": card.name,
            "memory": round(card.total_memory / 2**30),  # GiB
            "driver": driver.splitlines()[0] if driver else None,  # it says so for each card
        },
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Of all that can make a kernel faster or slower."""
    found = {
        "Python": platform.python_version(),
        "torch": torch.__version__,
        "Triton": triton.__version__,
    }
    if torch.version.cuda:
        found["CUDA"] = torch.version.cuda
    if torch.version.hip:
        found["ROCm"] = torch.version.hip
    cudnn: Any = torch.backends.cudnn  # which has no types
    if cudnn.is_available():
        found["cuDNN"] = str(cudnn.version())
    for name in _OTHERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def state(root: Path) -> tuple[str | None, bool | None]:
    """The commit, and whether kernels and reference are as in it; None where git knows nothing."""
    git = ("git", "-c", "safe.directory=*", "-C", str(root))
    commit = _said(*git, "rev-parse", "HEAD")
    if commit is None:
        return None, None
    return commit, _said(*git, "status", "--porcelain", "--", "kernels", "attnref") == ""


def write(record: dict[str, Any], root: Path = ROOT) -> Path:
    """One file a card; the last record counts."""
    name = re.sub(r"[^a-z0-9]+", "-", record["card"]["name"].lower()).strip("-")
    file = root / FOLDER / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text(record), encoding="utf-8")
    return file


def text(record: dict[str, Any]) -> str:
    """JSON with a line for each row, so that a change can be read."""
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and value:
            inner = ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in value)
            lines.append(f' "{key}": [\n{inner}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _said(*command: str) -> str | None:
    """The output of a command; None if it can't be run or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
