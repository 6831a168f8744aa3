"""python -m tests.gpu: run what needs a GPU with the Python at hand, or say what is missing.

First the tests, then the bench of the kernels: it says where its record is, and makes none of
kernels that fail their tests. The exit status is that of the tests, or, if they are well, that of
the bench, which is 0 unless our kernels were wrong or it could not go on.

For machines without internet too: this asks for the packages that the reference, the kernels and
their tests need, and for nothing of the book.
"""

from __future__ import annotations

import platform
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = sorted(ROOT.glob("tests/*/test_gpu*.py"))
# Below tests/ only: the conftest.py above it is for pages, and needs the book's packages.
OPTIONS = ["-q", "-m", "gpu", "--confcutdir", str(ROOT / "tests"), *map(str, TESTS)]
ADVICE = "Install it, or carry the wheels to a machine that has no internet."


def main() -> int:
    print(f"Python {platform.python_version()}, {sys.executable}", flush=True)
    if missing := absent() or no_card():
        print("Missing here:", *missing, sep="\n  ")
        print(ADVICE)
        return 1
    tests = run("pytest", *OPTIONS)
    bench = run("kernels.bench", *([] if tests else ["--record"]))
    return tests or bench


def run(module: str, *arguments: str) -> int:
    """Its exit status, as a program."""
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT).returncode


def absent() -> list[str]:
    """The packages that are not here, or not in a version that pyproject.toml allows."""
    if not find_spec("packaging"):  # pytest brings it
        return [
            need for need in _needs() if not find_spec(re.split("[>;]", need)[0].replace("-", "_"))
        ]
    from packaging.requirements import Requirement
    from packaging.version import Version

    found = []
    for need in map(Requirement, _needs()):
        if need.marker and not need.marker.evaluate():
            continue
        try:
            here = version(need.name)
        except PackageNotFoundError:
            found.append(f"{need.name}{need.specifier}")
            continue
        if Version(here).base_version not in need.specifier:  # 2.11.0a0+git1 is a 2.11
            found.append(f"{need.name}{need.specifier}: {here} is installed")
    return found


def no_card() -> list[str]:
    """Why torch finds no GPU; nothing, and the card's name, if it finds one."""
    import torch  # absent() looks first

    if not torch.cuda.is_available():
        built = torch.version.cuda or torch.version.hip
        kind = f"built for {built}" if built else "built for the CPU alone"
        return [f"a GPU that torch {torch.__version__} can use; it is {kind}"]
    card = torch.cuda.get_device_properties(0)
    print(
        f"{card.name}, {card.total_memory / 2**30:.0f} GiB, torch {torch.__version__}", flush=True
    )
    return []


def _needs() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    pytest = [need for need in extras["test"] if need.startswith("pytest>")]
    return [*project["dependencies"], *extras["kernels"], *pytest]


if __name__ == "__main__":
    sys.exit(main())
