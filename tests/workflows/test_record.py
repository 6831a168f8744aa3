"""Recorded results become a pull request: known files only, whole, and only if they are new."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.workflows.standin import Standin


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """A checkout of main with a file of results, another of ours, and a folder for what comes."""
    git(tmp_path, "init", "-q", "--bare", "origin")
    git(tmp_path, "clone", "-q", "origin", "main")
    folder = tmp_path / "main"
    (folder / "docs/reference").mkdir(parents=True)
    for name in ("bench", "api", "bibliography"):
        (folder / f"docs/reference/{name}.toml").write_text("seconds = 1\n")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one")
    (folder / "results").mkdir()
    return folder


def record(main: Path) -> tuple[list[int], Standin, str]:
    """The status of each step, what was asked of GitHub, and the files on the new branch."""
    github = Standin(main.parent / "standin")
    statuses = github.run("gpu.yml", "record", main)
    origin = main.parent / "origin"
    made = "recorded-99" in git(origin, "branch")
    files = git(origin, "show", "--name-only", "--format=", "recorded-99") if made else ""
    return statuses, github, files


def test_new_results_become_a_pull_request(main: Path) -> None:
    (main / "results/bench.toml").write_text("seconds = 2\n")
    statuses, github, files = record(main)
    assert statuses == [0, 0]
    assert files.split() == ["docs/reference/bench.toml"]
    assert "pr create --head recorded-99" in github.calls


def test_the_same_results_do_not(main: Path) -> None:
    (main / "results/bench.toml").write_text("seconds = 1\n")
    statuses, github, files = record(main)
    assert statuses == [0, 0]
    assert files == ""
    assert "pr create" not in github.calls


def test_files_that_are_not_results_are_left(main: Path) -> None:
    for name in ("api.toml", "bibliography.toml", "new.toml", "Makefile"):
        (main / "results" / name).write_text("seconds = 2\n")
    statuses, _, files = record(main)
    assert statuses == [0, 0]
    assert files == ""


def test_a_record_of_a_card_is_taken_even_if_it_is_the_first(main: Path) -> None:
    folder = main / "results/kernels-bench"
    folder.mkdir()
    (folder / "nvidia-h200.json").write_text("{}")
    (folder / "a b.json").write_text("{}")
    (folder / "notes.txt").write_text("{}")
    (main.parent / "secret.json").write_text("{}")
    (folder / "link.json").symlink_to(main.parent / "secret.json")
    statuses, _, files = record(main)
    assert statuses == [0, 0]
    assert files.split() == ["docs/reference/kernels-bench/nvidia-h200.json"]


@pytest.mark.parametrize("content", ["{", '"' + "#" * 1_000_000 + '"'])
def test_a_record_that_is_broken_or_huge_ends_it(main: Path, content: str) -> None:
    (main / "results/kernels-bench").mkdir()
    (main / "results/kernels-bench/nvidia-h200.json").write_text(content)
    statuses, _, files = record(main)
    assert statuses == [1]
    assert files == ""


def test_a_link_is_left(main: Path) -> None:
    (main.parent / "secret").write_text("seconds = 3\n")
    (main / "results/bench.toml").symlink_to(main.parent / "secret")
    statuses, _, files = record(main)
    assert statuses == [0, 0]
    assert files == ""


@pytest.mark.parametrize("content", ["seconds =", "x = 1\n" + "#" * 1_000_000])
def test_a_file_that_is_broken_or_huge_ends_it(main: Path, content: str) -> None:
    (main / "results/bench.toml").write_text(content)
    statuses, _, files = record(main)
    assert statuses == [1]
    assert files == ""
