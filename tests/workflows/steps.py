"""The steps of every workflow, each with the reason why it cannot run here, or with none."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github/workflows"
LONG = "long: --long runs it"
ACTIONS = {  # what stands for an action here, or why nothing does; artifacts.py does the others
    "actions/checkout": "the scratch copy stands for it",
    "actions/setup-python": "the Python at hand stands for it",
    "actions/cache": "GitHub keeps the cache; here every job begins without",
    "actions/cache/restore": "GitHub keeps the cache; here every job begins without",
    "actions/upload-pages-artifact": "needs GitHub Pages",
    "actions/deploy-pages": "needs GitHub Pages",
}
ARTIFACTS = ("actions/upload-artifact", "actions/download-artifact")
SCRIPTS = {  # what a script does -> why it does not run here
    r"\bgh (api|pr|run|auth)\b": "needs GitHub",
    r"\bpip install\b": "would change the environment",
    r"\blinkchecker\b": "needs the internet",
    r"^make (test|deep)$|^\.ci/run$|\bpytest\b": LONG,
}
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclass(frozen=True)
class Step:
    workflow: str
    job: str  # with the values of its matrix
    matrix: dict[str, Any]
    total: int  # jobs of the matrix
    entry: dict[str, Any]  # as the file has it
    environment: dict[str, str]  # of the workflow, the job and the step
    why_not: str

    @property
    def name(self) -> str:
        return self.filled(self.entry["name"]) or self.entry["name"]

    @property
    def script(self) -> str:
        return self.entry.get("run", "")

    @property
    def action(self) -> str:
        return self.entry.get("uses", "").partition("@")[0]

    def filled(self, text: str) -> str | None:
        """A text with its expressions worked out; None if one has no value here."""
        known = {f"matrix.{name}": str(value) for name, value in self.matrix.items()} | {
            "strategy.job-total": str(self.total),
            "github.repository": "somebody/understanding-attention",
            "github.token": "",
        }
        if any(found not in known for found in EXPRESSION.findall(text)):
            return None
        return EXPRESSION.sub(lambda found: known[found[1]], text)


def names() -> list[str]:
    return sorted(file.name for file in FOLDER.glob("*.yml"))


def load(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def plan(name: str) -> Iterator[Step]:
    """Every step of a workflow, in order, once for each job of a matrix."""
    workflow = load(name)
    for key, job in workflow["jobs"].items():
        matrices = list(_matrices(job.get("strategy", {}).get("matrix", {})))
        for matrix in matrices:
            shown = " ".join([key, *map(str, list(matrix.values())[:1])])
            for entry in job["steps"]:
                parts = (workflow, job, entry)
                environment = {k: str(v) for part in parts for k, v in part.get("env", {}).items()}
                step = Step(name, shown, matrix, len(matrices), entry, environment, "")
                yield Step(**vars(step) | {"why_not": _why_not(job, step)})


def _matrices(matrix: dict[str, Any]) -> Iterator[dict[str, Any]]:
    included = matrix.get("include", [])
    axes = {axis: values for axis, values in matrix.items() if axis != "include"}
    if axes or not included:
        for values in product(*axes.values()):
            yield dict(zip(axes, values, strict=True))
    yield from included


def _why_not(job: dict[str, Any], step: Step) -> str:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    if "self-hosted" in job["runs-on"]:
        return "needs docker and a machine with a GPU"
    if "macos" in job["runs-on"] and sys.platform != "darwin":
        return "needs macOS"
    if step.matrix.get("python", python) != python:
        return f"needs Python {step.matrix['python']}"
    if step.action:
        return "" if step.action in ARTIFACTS else ACTIONS[step.action]
    for pattern, reason in SCRIPTS.items():
        if re.search(pattern, step.script, re.M):
            return reason
    if any(step.filled(value) is None for value in step.environment.values()):
        return "needs what GitHub tells it"
    return ""
