"""A stand-in for GitHub's `gh`, and the steps of a job run with it, one after the other."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.workflows import steps
from tests.workflows.__main__ import bash
from tests.workflows.steps import Step

GH = """#!/usr/bin/env bash
echo "$*" >> "$STANDIN/calls"
for answer in "$STANDIN"/answers/*; do
    pattern=$(head -n 1 "$answer/pattern")
    if [[ "$*" == $pattern ]]; then cat "$answer/says"; exit; fi
done
while [ $# -gt 0 ]; do
    if [ "$1" = --body-file ]; then cp "$2" "$STANDIN/body"; fi
    shift
done
"""


class Standin:
    """Answers calls of gh that fit a pattern; says nothing to others, and notes them all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "bin").mkdir(parents=True)
        (folder / "answers").mkdir()
        (folder / "bin/gh").write_text(GH)
        (folder / "bin/gh").chmod(0o755)

    def answer(self, pattern: str, says: str | bytes) -> None:
        place = self.folder / f"answers/{len(list((self.folder / 'answers').iterdir()))}"
        place.mkdir()
        (place / "pattern").write_text(pattern)
        (place / "says").write_bytes(says if isinstance(says, bytes) else says.encode())

    @property
    def calls(self) -> str:
        calls = self.folder / "calls"
        return calls.read_text() if calls.exists() else ""

    @property
    def body(self) -> str | None:
        """What was to be posted."""
        body = self.folder / "body"
        return body.read_text() if body.exists() else None

    def run(self, workflow: str, job: str, work: Path, **told: str) -> list[int]:
        """The exit status of each script of a job whose condition holds, up to one that fails."""
        known: dict[str, str] = {}
        done: list[int] = []
        for step in steps.plan(workflow):
            here = step.job == job and step.script and _holds(step.entry.get("if", ""), known)
            if here and not any(done):
                done.append(self._step(step, work, known, told))
        return done

    def _step(self, step: Step, work: Path, known: dict[str, str], told: dict[str, str]) -> int:
        output = self.folder / "output"
        output.write_text("")
        own = {
            name: steps.EXPRESSION.sub(lambda found: known.get(found[1], ""), value)
            for name, value in step.environment.items()
        }
        ours = {
            "STANDIN": str(self.folder),
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "somebody/book",
            "GITHUB_RUN_ID": "99",
        }
        environment = os.environ | own | told | ours
        status = subprocess.run(bash(step.script), cwd=work, env=environment).returncode
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            known[f"steps.{step.entry['id']}.outputs.{name}"] = value
        return status


def _holds(condition: str, known: dict[str, str]) -> bool:
    asked = re.fullmatch(r"(steps\.\w+\.outputs\.\w+) != ''", condition)
    assert asked or not condition, f"no stand-in for the condition {condition}"
    return not asked or known.get(asked[1], "") != ""
