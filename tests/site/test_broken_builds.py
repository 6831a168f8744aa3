"""A fault anywhere stops the build with one readable message, and the last good site stays."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.conftest import ENVIRONMENT, ROOT, Build

CHAPTER = "docs/chapters/07-worked-example.md"
RUNG = "snippets/ch07/numpy_rung.py"

FAULTS = {
    "a wrong digit": (CHAPTER, "0.3302 to\n0.6698.", "0.3302 to\n0.6699.", "page says 0.6699"),
    "a raising block": (CHAPTER, "tol = 1e-12", "tol = 1 / 0", "ZeroDivisionError"),
    "sys.exit": (CHAPTER, "tol = 1e-12", "raise SystemExit", "ends the program (SystemExit)"),
    "a raising snippet": (RUNG, "O_np = A @ V", "O_np = A @ W", f"{RUNG}:14: NameError"),
    "another output": (RUNG, "round(4)", "round(3)", "snippets/ch07/numpy_rung.out:1 says"),
    "a misspelt attribute": (CHAPTER, 'exec="on" html', 'exce="on" html', "no attribute 'exce'"),
    "a missing snippet": (CHAPTER, "numpy_rung.py", "nunpy_rung.py", "does not exist"),
    "invalid LaTeX": (CHAPTER, "$q_3 = [1, 1]$", "$\\frac{q_3 = [1, 1]$", "math-core cannot read"),
    "an undefined name": (CHAPTER, "= sum(late)", "= sum(latte)", "no name"),
    "a claim without a number": (CHAPTER, "Nothing crashes", "Nothing<!-- = A --> crashes", "prov"),
    "an unlabelled number": (CHAPTER, "Nothing crashes", "In 9 models nothing crashes", "9 is nei"),
    "a link to nowhere": (CHAPTER, "(04-why-divide.md)", "(04-why-dvide.md)", "04-why-dvide.md"),
    "a place that is not there": ("docs/index.md", "(#chapters)", "(#chapter)", "no such place"),
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What all code of the book says, run once for all copies."""
    folder = tmp_path_factory.mktemp("store")
    subprocess.run(
        [sys.executable, "-m", "proofread", "run", "--shard", "1/1"],
        cwd=ROOT,
        env=ENVIRONMENT | {"PROOFREAD_STORE": str(folder)},
        check=True,
    )
    return folder


@pytest.fixture
def copy(copy: Path, store: Path) -> Path:
    """A whole copy, in which only what a test spoils has to run."""
    shutil.copytree(store, copy / ".cache/proofread")
    return copy


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_stops_the_build(copy: Path, build: Build, fault: str) -> None:
    file, old, new, message = FAULTS[fault]
    source = (copy / file).read_text(encoding="utf-8")
    assert old in source
    (copy / file).write_text(source.replace(old, new, 1), encoding="utf-8")
    (copy / "site").mkdir()
    (copy / "site/index.html").write_text("the last good site")
    done = build()
    assert done.returncode != 0
    assert message in done.stdout, done.stdout
    assert file.removeprefix("docs/").removesuffix(".md") in done.stdout
    assert "site-packages" not in done.stdout, "no traceback of ours"
    assert (copy / "site/index.html").read_text() == "the last good site"
    assert not (copy / "site.new").exists()


def test_a_good_book_builds_and_replaces_the_old_site(copy: Path, build: Build) -> None:
    (copy / "site").mkdir()
    (copy / "site/old.html").write_text("old")
    done = build()
    assert done.returncode == 0, done.stdout
    assert "WARNING" not in done.stdout
    assert "4.1133" in (copy / "site/chapters/07-worked-example/index.html").read_text()
    assert not (copy / "site/old.html").exists()
    assert not (copy / "site.old").exists()
