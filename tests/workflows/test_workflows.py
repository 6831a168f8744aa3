"""Workflows are clean, have no more power than they need, and say what of them runs here."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tests.workflows import steps
from tests.workflows.steps import ACTIONS, ARTIFACTS, FOLDER, LONG, ROOT, SCRIPTS

NAMES = steps.names()
STEPS = [step for name in NAMES for step in steps.plan(name)]
SCRIPTED = [pytest.param(step, id=f"{step.workflow} {step.name}") for step in STEPS if step.script]
WRITES = {  # the jobs that may change anything, and what
    ("preview-comment.yml", "comment"): {"pull-requests"},
    ("publish.yml", "deploy"): {"pages", "id-token"},
    ("gpu.yml", "record"): {"contents", "pull-requests"},
}


def jobs() -> list[tuple[str, str, dict[str, Any]]]:
    return [(name, key, job) for name in NAMES for key, job in steps.load(name)["jobs"].items()]


@pytest.mark.parametrize(
    "command", [["actionlint"], ["zizmor", "--offline", "--no-progress", "--persona=auditor", "."]]
)
def test_the_linters_find_nothing(command: list[str]) -> None:
    linter = Path(sys.executable).with_name(command[0])
    done = subprocess.run([linter, *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_linter_ignores_has_a_reason() -> None:
    for name in NAMES:
        for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
            if "zizmor: ignore" in line:
                assert re.search(r"zizmor: ignore\[[\w-]+\] \w+ \w+", line), f"{name}: {line}"


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_begins_without_any_right(name: str) -> None:
    workflow = steps.load(name)
    assert workflow["permissions"] == {}
    assert workflow["defaults"]["run"]["shell"] == "bash", "or a failing pipe goes unnoticed"
    assert "pull_request_target" not in str(workflow[True]), "on: is True to YAML"


def test_only_jobs_that_run_nothing_of_a_pull_request_may_write() -> None:
    found = {}
    for name, key, job in jobs():
        if wanted := {scope for scope, may in job["permissions"].items() if may != "read"}:
            found[name, key] = wanted
            scripts = " ".join(step.get("run", "") for step in job["steps"])
            assert not re.search(r"\bmake\b|\.venv|\.ci/|pip install", scripts), f"{name} {key}"
    assert found == WRITES


def test_every_job_ends_by_itself() -> None:
    assert [(name, key) for name, key, job in jobs() if job.get("timeout-minutes", 0) < 1] == []


def test_nothing_keeps_a_token_in_its_checkout() -> None:
    for step in STEPS:
        if step.action == "actions/checkout":
            assert step.entry["with"]["persist-credentials"] is False, step


def test_an_action_has_one_pin() -> None:
    pins: dict[str, set[str]] = {}
    for name in NAMES:
        for action, pin in re.findall(r"uses: ([\w/-]+)@(.*)", (FOLDER / name).read_text()):
            pins.setdefault(action.split("/")[1], set()).add(pin)
    assert {action: pin for action, pin in pins.items() if len(pin) > 1} == {}
    assert all(re.fullmatch(r"[0-9a-f]{40} # v[\d.]+", pin) for (pin,) in pins.values())


def test_the_code_of_a_pull_request_meets_a_gpu_only_in_a_container_without_network() -> None:
    job = steps.load("gpu.yml")["jobs"]["gpu"]
    assert "github.event.label.name == 'gpu'" in job["if"]
    assert steps.load("gpu.yml")[True]["pull_request"] == {"types": ["labeled"]}
    for step in job["steps"]:
        script = step.get("run", "")
        assert "secrets." not in str(step)
        if "given" in script:
            assert "docker run" in script
            assert "--network none" in script
            assert "source=$PWD/given,target=/given,readonly" in script


def test_a_run_is_not_found_by_the_name_of_a_branch_alone() -> None:
    """Anybody's fork may have a branch that is called main."""
    for step in STEPS:
        for call in re.findall(r"gh run list(?:\\\n|.)*", step.script):
            assert re.search(r"--event (push|schedule)\b", call), f"{step.workflow}: {call}"


@pytest.mark.parametrize("step", SCRIPTED)
def test_a_script_parses_and_nobody_else_writes_a_part_of_it(step: steps.Step) -> None:
    assert "${{" not in step.script
    done = subprocess.run(["bash", "-n", "-c", step.script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_script_for_the_container_parses() -> None:
    done = subprocess.run(["bash", "-n", ROOT / ".github/gpu.sh"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_every_step_runs_here_or_says_why_not(name: str) -> None:
    planned = [(step.job.split()[0], step.entry) for step in STEPS if step.workflow == name]
    for key, job in steps.load(name)["jobs"].items():
        for step in job["steps"]:
            assert (key, step) in planned
            assert step["name"]
    elsewhere = "needs (macOS|Python 3.*|docker and a machine with a GPU|what GitHub tells it)"
    for step in STEPS:
        known = step.why_not in {"", *ACTIONS.values(), *SCRIPTS.values()}
        assert known or re.fullmatch(elsewhere, step.why_not), step


def test_what_can_run_here_is_not_left_out() -> None:
    ours = [step for step in STEPS if not re.match("needs (Python|macOS)", step.why_not)]
    ours = [step for step in ours if not re.search(r"\bgh\b|docker|linkchecker|pip", step.script)]
    scripts = {step.script for step in ours if step.script and not step.why_not}
    assert {"make site", "make .venv/ready"} <= scripts
    assert any("--shard" in script for script in scripts)
    assert {"make deep"} <= {step.script for step in ours if step.why_not == LONG}


def test_what_a_job_gets_another_hands_out() -> None:
    for name in NAMES:
        given = [
            step.filled(step.entry["with"]["name"])
            for step in STEPS
            if step.workflow == name and step.action == ARTIFACTS[0]
        ]
        assert len(set(given)) == len(given), "every artifact has a name of its own"
        for step in STEPS:
            if step.workflow == name and step.action == ARTIFACTS[1]:
                options = step.entry["with"]
                wanted = options.get("name") or options["pattern"]
                assert any(fnmatch(one or "", wanted) for one in given), f"{name}: {wanted}"


def test_the_oldest_packages_are_the_oldest_that_are_promised() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ranges = [*project["dependencies"], *project["optional-dependencies"]["kernels"]]
    promised = dict(re.findall(r"(torch|triton|numpy)>=([\d.]+)", " ".join(ranges)))
    matrix = steps.load("nightly.yml")["jobs"]["packages"]["strategy"]["matrix"]["include"]
    oldest = next(one for one in matrix if one["packages"] == "oldest")
    assert dict(re.findall(r"(\w+)==([\d.]+)\.\*", oldest["wanted"])) == promised
    assert project["requires-python"] == f">={oldest['python']}"
