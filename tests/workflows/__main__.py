"""python -m tests.workflows [--only ci.yml] [--long]: run here what the workflows run on GitHub.

Every job gets a copy of the repository with your changes, and the environment at hand. What
cannot run here is listed, with the reason; what takes long runs with --long.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.workflows import artifacts, steps
from tests.workflows.steps import ROOT, Step


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.workflows", description=__doc__)
    parser.add_argument("--only", choices=steps.names(), help="one workflow")
    parser.add_argument("--long", action="store_true", help="also what takes long")
    asked = parser.parse_args(arguments)
    rows = []
    for name in [asked.only] if asked.only else steps.names():
        with tempfile.TemporaryDirectory() as folder:
            rows += run(name, Path(folder), asked.long)
    print("\n" + table(rows))
    return any(result.startswith("FAILED") for _, result in rows)


def run(name: str, folder: Path, long: bool = False) -> list[tuple[Step, str]]:
    """What became of each step of a workflow. Artifacts are kept from job to job."""
    rows: list[tuple[Step, str]] = []
    shelf = folder / "artifacts"
    for step in steps.plan(name):
        work = folder / step.job.replace(" ", "-")
        before = [result for other, result in rows if other.job == step.job]
        if any(result.startswith("FAILED") for result in before):
            result = "not run: a step before it failed"
        elif step.why_not and not (long and step.why_not == steps.LONG):
            result = f"not run: {step.why_not}"
        else:
            print(f"\n{name}, {step.job}: {step.name}", flush=True)
            if not work.exists():
                copy(work)
            result = perform(step, work, shelf)
        rows.append((step, result))
    return rows


def perform(step: Step, work: Path, shelf: Path) -> str:
    if step.action:
        options = {name: step.filled(str(v)) or "" for name, v in step.entry["with"].items()}
        act = artifacts.upload if "upload" in step.action else artifacts.download
        return act(options, work, shelf)
    told = {name: step.filled(value) or "" for name, value in step.environment.items()}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    told |= {"RUNNER_TEMP": str(work.parent), "GITHUB_OUTPUT": str(work.parent / "output")}
    done = subprocess.run(bash(step.script), cwd=work, env=inherited | told)
    return "ran" if done.returncode == 0 else f"FAILED with {done.returncode}"


def bash(script: str) -> list[str]:
    """How GitHub calls a script where the workflow says `shell: bash`."""
    return ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]


def copy(work: Path) -> None:
    """A clone with what has changed since, and an environment that make finds ready."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(work)], check=True)
    ask = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (work / name).unlink(missing_ok=True)
        if (ROOT / name).is_file():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, work / name)
    environment = work / ".venv"  # of links: pip in it would change the one at hand
    environment.mkdir()
    for part in Path(sys.prefix).iterdir():
        (environment / part.name).symlink_to(part)
    (environment / "ready").unlink(missing_ok=True)
    (environment / "ready").touch()


def table(rows: list[tuple[Step, str]]) -> str:
    cells = [(step.workflow, step.job, step.name, result) for step, result in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(3)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in cells
    ]
    ran = sum(result.startswith("ran") for _, result in rows)
    failed = sum(result.startswith("FAILED") for _, result in rows)
    rest = len(rows) - ran - failed
    return "\n".join([*lines, "", f"{ran} steps ran here, {failed} failed, {rest} were not run."])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
