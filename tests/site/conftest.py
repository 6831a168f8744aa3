from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import markdown
import pytest

from book import contents, receipts, rendering
from book.extension import BookExtension
from proofread.proof import prove_text
from proofread.settings import load

ROOT = Path(__file__).parents[2]
PARTS = (
    "attnref",
    "book",
    "docs",
    "kernels",
    "proofread",
    "snippets",
    "mkdocs.yml",
    "pyproject.toml",
)
CODE = """```python exec="on"
import numpy as np
w = np.array([0.2482551, 0.2482551, 0.5034898])
A = np.array([[1.0, 0.0], [0.3302, 0.6698]])
heads, gain = 8, 213.08
```

"""
EXTENSIONS = [
    "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
    "pymdownx.arithmatex", "pymdownx.details", "pymdownx.superfences", "pymdownx.tabbed",
]  # fmt: skip


def pages(book: Path) -> list[Path]:
    """The files that a copy of the book shows, notebooks among them."""
    return [*(book / "docs").rglob("*.md"), *(book / "docs/labs").glob("*.py")]


Render = Callable[[str], markdown.Markdown]
Build = Callable[[], subprocess.CompletedProcess[str]]


@pytest.fixture
def render() -> Render:
    """Renders a text after the common code as chapter 1 would be; the HTML is in `.html`."""
    settings = load(ROOT)
    sources = {**settings.sources, "touvron2023": {"table 1": ("64",)}}

    def convert(text: str) -> markdown.Markdown:
        path = "docs/chapters/01-mixture.md"
        proof = prove_text(CODE + text + "\n", path, replace(settings, sources=sources))
        assert not proof.findings, proof.report_all
        rendering.current = rendering.Rendering(proof, contents.load(ROOT / "docs"))
        md = markdown.Markdown(
            extensions=[*EXTENSIONS, BookExtension()],
            extension_configs={"pymdownx.arithmatex": {"generic": True}},
        )
        marked = receipts.mark(proof).replace("[^touvron2023]", "[^vaswani2017]")
        md.html = md.convert(marked)  # type: ignore[attr-defined]
        rendering.current = None
        return md

    return convert


# A copy's own packages come first, because it is the folder in which Python starts. In PYTHONPATH
# its name would be a part of the environment, and no copy would know what another has run.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def call(copy: Path, *module: str) -> str:
    """Runs a module in a copy of the book; gives what it says, and fails where it does."""
    done = subprocess.run(
        [sys.executable, "-m", *module],
        cwd=copy,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the book that a test may spoil."""
    for part in PARTS:
        source, target = ROOT / part, tmp_path / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    fonts = ROOT / ".cache/fonts"  # cutting them takes seconds, and gives the same bytes
    fonts.mkdir(parents=True, exist_ok=True)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache/fonts").symlink_to(fonts)
    return tmp_path


@pytest.fixture
def project(copy: Path) -> Path:
    """A copy of the book with its tests."""
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "CONTRIBUTING.md", "conftest.py"):
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture
def build(copy: Path) -> Build:
    """Builds the copy as `make site` does."""

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "book.build"],
            cwd=copy,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return run
