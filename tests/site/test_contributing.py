"""CONTRIBUTING.md is walked as a newcomer would: its commands run, and say what it says they do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.conftest import ENVIRONMENT, ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
if list(ROOT.glob("docs/chapters/*-temperature.md")):  # somebody has walked here before
    TEXT = TEXT.replace("temperature", "second-walk")
EDIT = r"Open `(?P<file>[^`]+)`[^.]*?change (?P<old>[\d.]+)<!--.*?--> to (?P<new>[\d.]+)<!--"
STEP = re.compile(rf"```console\n(?P<shown>.*?)```|{EDIT}", re.S)
NOT_RUN = {  # how a command begins -> why it is not run here
    "git clone": "the copy is the clone",
    "cd ": "each command starts there",
    "source ": "the environment of the tests is the one it would find",
    "make serve": "tests/site/test_preview.py does",
    "pre-commit install": "tests/site/test_pre_commit.py does",
    "git switch": "git's own",
    "git add": "git's own",
    "git commit": "tests/site/test_pre_commit.py does",
    "git push": "git's own",
}


def steps() -> Iterator[re.Match[str] | tuple[str, str]]:
    """What the text asks for, in order: an edit, or a command with what is shown below it."""
    for found in STEP.finditer(TEXT):
        if found["file"]:
            yield found
            continue
        for part in re.split(r"(?m)^\$ ", found["shown"])[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def agrees(shown: str, said: str) -> bool:
    """Whether that was said, where … on a line of its own is any lines, and in a line any text."""
    lines = [
        r"(?:.*\n)*" if line == "…\n" else ".*".join(map(re.escape, line.split("…")))
        for line in shown.splitlines(keepends=True)
    ]
    return re.fullmatch("".join(lines), said) is not None


def test_a_newcomer_sees_what_the_text_shows(project: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = ENVIRONMENT | {"PATH": path, "PYTHONPATH": str(project), "NO_COLOR": "1"}
    ran: list[str] = []

    def run(command: str) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        return subprocess.run(
            ["bash", "-c", command],
            cwd=project,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    for step in steps():
        if isinstance(step, re.Match):
            file = project / step["file"]
            before = file.read_text(encoding="utf-8")
            assert before.count(step["old"]) == 1, "the text says which number to change"
            file.write_text(before.replace(step["old"], step["new"]), encoding="utf-8")
            continue
        command, shown = step
        if any(command.startswith(one) for one in NOT_RUN):
            assert not shown, f"nothing proves what {command} shows"
            continue
        said = run(command).stdout
        assert agrees(shown, said), f"$ {command}\n{said}"
    assert len(ran) >= 6
    left = run("proofread check README.md CONTRIBUTING.md docs/index.md")
    assert left.returncode == 0, f"the walk leaves a book that is true\n{left.stdout}"


@pytest.mark.parametrize("command", NOT_RUN)
def test_every_command_that_is_not_run_stands_in_the_text(command: str) -> None:
    assert f"\n$ {command}" in TEXT


@pytest.mark.parametrize(
    ("shown", "said", "does"),
    [
        ("a\n", "a\n", True),
        ("a\n", "b\n", False),
        ("a\n", "a\nb\n", False),
        ("", "a\n", False),
        ("a.\n", "ab\n", False),
        ("a … c\n", "a b c\n", True),
        ("a … c\n", "a\nc\n", False),
        ("…\nc\n", "a\nb\nc\n", True),
        ("…\nc\n", "a\nb\n", False),
    ],
)
def test_an_output_that_differs_is_noticed(shown: str, said: str, does: bool) -> None:
    assert agrees(shown, said) is does
