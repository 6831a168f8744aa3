"""An environment of their own for the tools that the book's builder is compared with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache/bench/venv"
COMMON = ("torch", "numpy", "mkdocs", "mkdocs-material", "pymdown-extensions", "ipykernel")
TOOLS = {  # name of the tool -> what it is made of; the project's lock pins what is in it
    "markdown-exec": ("markdown-exec",),
    "MyST-NB": ("sphinx==9.0.4", "myst-nb==1.4.0", "jupyter-cache==1.0.1"),
    "Sphinx-Gallery": ("sphinx==9.0.4", "sphinx-gallery==0.22.1", "matplotlib"),
    "mkdocs-jupyter": ("mkdocs-jupyter",),
}
ASK = """
import importlib.metadata, json, sys
print(json.dumps({name: importlib.metadata.version(name) for name in sys.argv[1:]}))
"""


def make() -> tuple[Path, dict[str, str]]:
    """The environment's interpreter, and for each tool that cannot be installed why not."""
    python, failed = FOLDER / "bin/python", {}
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    if told := _install(python, COMMON):
        return python, dict.fromkeys(TOOLS, told)
    for name, wanted in TOOLS.items():
        if told := _install(python, wanted):
            failed[name] = told
    return python, failed


def versions(python: Path, names: tuple[str, ...]) -> dict[str, str]:
    done = subprocess.run(
        [str(python), "-c", ASK, *names], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def _install(python: Path, wanted: tuple[str, ...]) -> str:
    """Nothing, or the last line of pip's complaint."""
    marker = FOLDER / ("installed-" + "-".join(wanted).replace("==", "-"))
    if marker.is_file():
        return ""
    options = ["-q", "--disable-pip-version-check", "-c", str(ROOT / "requirements.lock")]
    done = subprocess.run(
        [str(python), "-m", "pip", "install", *options, *wanted], capture_output=True, text=True
    )
    if done.returncode:
        told = [line for line in done.stderr.splitlines() if "is ignored" not in line]
        return told[-1] if told else f"pip ended with {done.returncode}"
    marker.touch()
    return ""
