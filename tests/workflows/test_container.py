"""The container: built from the lock, with what exists, for somebody who is not root."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch

from tests.workflows.steps import ROOT

LINES = [
    re.sub(r"\s+", " ", line)
    for line in re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8")).splitlines()
    if line and not line.startswith("#")
]
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()


def at(pattern: str) -> int:
    """The number of the only instruction that matches."""
    (found,) = [number for number, line in enumerate(LINES) if re.search(pattern, line)]
    return found


def test_every_line_is_an_instruction() -> None:
    known = r"(FROM|RUN|ARG|USER|WORKDIR|COPY|EXPOSE|CMD) \S"
    assert [line for line in LINES if not re.match(known, line)] == []
    assert LINES[0].startswith("FROM ")
    assert isinstance(json.loads(LINES[at("^CMD")].removeprefix("CMD ")), list)


def test_the_base_is_a_python_of_a_version_that_the_book_supports() -> None:
    version = re.fullmatch(r"FROM python:(\d+\.\d+)\.\d+-slim-\w+", LINES[0])
    assert version
    assert f'"{version[1]}"' in (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")


def test_packages_come_from_the_lock_before_the_book_does() -> None:
    assert (
        at("COPY .*requirements.lock")
        < at("pip install .*requirements.lock")
        < at(r"COPY .* \. \.")
    )
    assert not [line for line in LINES if "pip install" in line and "requirements.lock" not in line]


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    for line in LINES:
        if line.startswith("COPY"):
            for source in line.split()[1:-1]:
                if not source.startswith("--"):
                    assert (ROOT / source).exists(), line
                    assert not any(fnmatch(source, pattern) for pattern in IGNORED), line


def test_what_git_ignores_does_not_reach_the_image() -> None:
    for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split():
        name = line.strip("/")
        assert name in IGNORED or f"**/{name}" in IGNORED, line


def test_nobody_is_root_when_the_book_comes_in() -> None:
    assert at("^USER") < at("COPY .*requirements.lock")
    assert LINES[at("^USER")] == "USER reader"
    assert all("--chown=reader" in line for line in LINES if line.startswith("COPY"))


def test_an_editor_uses_the_same_image() -> None:
    told = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    folder = ROOT / ".devcontainer"
    assert (folder / told["build"]["dockerfile"]).resolve() == ROOT / "Dockerfile"
    assert (folder / told["build"]["context"]).resolve() == ROOT
    assert told["workspaceFolder"] == LINES[at("^WORKDIR")].split()[1]
    assert told["remoteUser"] == LINES[at("^USER")].split()[1]
    assert "/opt/venv" in LINES[at("pip install")]
    assert "/opt/venv" in told["postCreateCommand"]
