"""`make gpu` on a machine that has the kernels' packages and no others, or not even those."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests import gpu

# What a machine for numbers has: the five packages named in pyproject.toml, and their own needs.
ONLY = """
import sys
from importlib.metadata import packages_distributions

book = {"markdown", "math_core", "mkdocs", "psutil", "sybil", "typer", "hypothesis", "playwright"}
assert book <= set(packages_distributions())

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in book:
            raise ModuleNotFoundError(f"no {name} here")

sys.meta_path.insert(0, Refuse())
"""
COLLECT = """
import pytest
from tests.gpu import OPTIONS
sys.exit(pytest.main([*OPTIONS, "--collect-only"]))
"""
BENCH = """
from kernels.bench.__main__ import main
sys.exit(main([]))
"""


def alone(code: str) -> subprocess.CompletedProcess[str]:
    """Runs code where the book's packages can't be imported."""
    return subprocess.run(
        [sys.executable, "-c", ONLY + code],
        capture_output=True,
        text=True,
        cwd=gpu.ROOT,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": ""},
    )


def test_the_gpu_tests_ask_for_nothing_of_the_book() -> None:
    done = alone(COLLECT)
    assert done.returncode == 0, done.stdout + done.stderr
    for file in gpu.TESTS:
        assert file.name in done.stdout


def test_the_bench_asks_for_nothing_of_the_book() -> None:
    done = alone(BENCH)
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_tests_that_need_a_gpu_are_among_them() -> None:
    mark = "pytest.mark." + "gpu"
    marked = [file for file in Path(gpu.ROOT, "tests").rglob("*.py") if mark in file.read_text()]
    assert sorted(marked) == gpu.TESTS


@pytest.mark.parametrize("tests", [0, 1])
@pytest.mark.parametrize("bench", [0, 1])
def test_the_bench_comes_after_the_tests_and_records_if_they_are_well(
    monkeypatch: pytest.MonkeyPatch, tests: int, bench: int
) -> None:
    ran: list[list[str]] = []

    def run(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
        ran.append(command[2:])
        return subprocess.CompletedProcess(command, tests if command[2] == "pytest" else bench)

    monkeypatch.setattr(gpu, "absent", list)
    monkeypatch.setattr(gpu, "no_card", list)
    monkeypatch.setattr(subprocess, "run", run)
    assert gpu.main() == (tests or bench)
    recorded = [] if tests else ["--record"]
    assert ran == [["pytest", *gpu.OPTIONS], ["kernels.bench", *recorded]]


def test_a_package_that_is_not_there_is_named_with_its_range(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def version(name: str) -> str:
        if name == "array-api-compat":
            raise metadata.PackageNotFoundError(name)
        return {"torch": "2.9.1", "triton": "3.6.0"}.get(name, "99")

    monkeypatch.setattr(gpu, "version", version)
    assert gpu.main() == 1
    told = capsys.readouterr().out
    assert "\n  array-api-compat>=1.12\n" in told
    assert "\n  torch>=2.11: 2.9.1 is installed\n" in told
    assert "triton" not in told
    assert gpu.ADVICE in told


def test_a_build_between_releases_counts_as_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "version", {"torch": "2.11.0a0+git1"}.get)
    monkeypatch.setattr(gpu, "_needs", lambda: ["torch>=2.11"])
    assert gpu.absent() == []


def test_without_a_card_it_says_what_torch_was_built_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr(gpu, "absent", list)
    for built, says in (("12.9", "it is built for 12.9"), (None, "it is built for the CPU alone")):
        monkeypatch.setattr("torch.version.cuda", built)
        monkeypatch.setattr("torch.version.hip", None)
        assert gpu.main() == 1
        assert says in capsys.readouterr().out
