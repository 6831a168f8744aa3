from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from proofread.judge import judge
from proofread.page import Page, kind, parse
from proofread.proof import Proof, prove
from proofread.running.program import run
from proofread.settings import Settings, load

SETTINGS = Settings(
    names=("Llama 2", "Mistral 7B", "70B", "FlashAttention 2"),
    sources={"touvron2023": {"table 1": ("64", "8", "2.0 trillion")}},
    chapters={number: f"{number:02}-x" for number in range(18)},
)
CODE = """```python exec="on"
import math
import numpy as np
w = np.array([0.2482551, 0.2482551, 0.5034898])
A = np.array([[1.0, 0.0], [0.3302, 0.6698]])
q, k = np.array([1.0, 1.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
n_bytes, gain, theta, heads, tol = 4 * 2**30, 213.08, math.pi / 6, 8, 1e-6
half, single = 0.125, np.float32(0.25005)
```

"""

Read = Callable[[str], Page]
Marks = Callable[[str], list[str]]
Kinds = Callable[[str], list[tuple[str, str]]]


def read(text: str) -> Page:
    """A page of chapter 1 that holds the common code and then the text."""
    return parse(CODE + text + "\n", "docs/chapters/01-test.md", SETTINGS)


@pytest.fixture
def marks() -> Marks:
    """What the proofreader has to say about a text after the common code."""

    def say(text: str) -> list[str]:
        page = read(text)
        return [f"{f.rule}: {f.message}" for f in judge(page, run(page), SETTINGS)]

    return say


@pytest.fixture
def kinds() -> Kinds:
    """Every number of a text, with its kind."""

    def sort(text: str) -> list[tuple[str, str]]:
        page = read(text)
        return [(page.source[n.start : n.end], kind(n)) for n in page.numerals]

    return sort


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """An empty book: settings, a bibliography, a table of contents, room for pages."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.proofread]\npages = ["*.md"]\nbibliography = "b.toml"\ncontents = "c.toml"\n'
        "timeout = 20\n"
    )
    (tmp_path / "b.toml").write_text('[brown2020]\ntitle = "X"\n')
    (tmp_path / "c.toml").write_text('[[part]]\nchapters = [{ file = "01-page" }]\n')
    (tmp_path / "snippets").mkdir()
    return tmp_path


@pytest.fixture
def snippets(book: Path) -> Path:
    """A few snippets with and without faults."""
    marked = "# --8<-- [start:one]\nx = 1\n# --8<-- [end:one]\n# --8<-- [start:two]\ny = 2\n"
    files = {
        "whole.py": marked + "# --8<-- [end:two]\n",
        "whole.out": "",
        "silent.py": "x = 1\n",
        "stale.py": "print(1)\n",
        "stale.out": "2\n",
        "noisy.py": "import helper\nhelper.speak()\n",
        "noisy.out": "spoken\n",
    }
    for name, text in files.items():
        (book / "snippets" / name).write_text(text)
    (book / "snippets/latin.py").write_bytes(b"x = 1\n# caf\xe9\n")
    (book / "snippets/latin_out.py").write_text("x = 1\n")
    (book / "snippets/latin_out.out").write_bytes(b"caf\xe9\n")
    return book


def proved(book: Path, text: str, name: str = "01-page.md") -> Proof:
    (book / name).write_text(text)
    return prove(book / name, load(book))


def fence(code: str, attributes: str = 'exec="on"') -> str:
    return f"```python {attributes}\n{code}\n```\n"
