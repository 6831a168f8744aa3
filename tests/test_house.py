"""The house rules that a program can check: imports, style, types, files, names of commands."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OWN = {"attnref", "book", "kernels", "proofread", "tests"}
MAY = {  # who may import whom
    "attnref": {"attnref"},
    "kernels": {"attnref", "kernels"},
    "proofread": {"proofread"},
    "book": {"book", "proofread"},
    "snippets": {"attnref", "kernels"},
}


def imports(file: Path) -> set[str]:
    """The top-level names that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("package", MAY)
def test_imports_point_one_way(package: str) -> None:
    for file in (ROOT / package).rglob("*.py"):
        assert imports(file) & OWN <= MAY[package], file


def test_proofread_knows_nothing_of_attention() -> None:
    for file in (ROOT / "proofread").rglob("*.py"):
        text = file.read_text(encoding="utf-8").lower()
        assert not re.search(r"\battention\b|attnref|softmax", text), file


def test_importing_attnref_needs_no_other_part_of_the_house() -> None:
    code = "import attnref, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded & {"proofread", "book", "kernels", "torch", "mkdocs", "sybil"} == set()


@pytest.mark.parametrize(
    "command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
)
def test_style_and_types_are_clean(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr


def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT)
    return [ROOT / name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def test_no_file_of_somebody_else_is_committed() -> None:
    assert not [f for f in tracked() if re.search(r"\.(woff2?|ttf|otf|min\.\w+|whl|so)$", f.name)]


def test_files_are_small() -> None:
    long = {
        file.relative_to(ROOT).as_posix()
        for file in tracked()
        if file.suffix == ".py" and len(file.read_text(encoding="utf-8").splitlines()) > 300
    }
    assert not long


def test_every_requirement_is_pinned_and_within_its_range() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = {line.partition("==")[0].lower().replace("_", "-") for line in lines}
    assert all("==" in line for line in lines)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        wanted += extra
    names = {re.match(r"[\w-]+", one)[0].lower() for one in wanted}  # type: ignore[index]
    assert names - {"understanding-attention"} <= pins


def test_every_command_of_the_readme_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        asked = set(re.findall(r"(?:^|`)make ([a-z]+)(?=`| +#)", text, re.M))
        assert asked <= targets, f"{name}: make {asked - targets}"
