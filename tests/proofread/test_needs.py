"""What code will import is known without running it, through the project's own files as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofread.running.needs import hinted, needs
from tests.proofread.conftest import fence

CASES = {
    "import torch": {"torch"},
    "import matplotlib.pyplot as plt": {"matplotlib", "matplotlib.pyplot"},
    "from matplotlib import pyplot": {"matplotlib", "matplotlib.pyplot"},
    "def f():\n    import numpy": {"numpy"},
    "import plain": {"plain"},
    "import direct": {"direct", "torch"},
    "from package import part": {"package", "package.part", "torch"},
    "from package.part import x": {"package", "package.part", "package.part.x", "torch"},
    "import circle": {"circle", "circle_too"},
    "import not Python": set(),
    "from . import x": set(),
}


@pytest.mark.parametrize("code", CASES)
def test_imports_are_found_through_the_projects_files(tmp_path: Path, code: str) -> None:
    files = {
        "plain.py": "x = 1",
        "direct.py": "import torch",
        "package/__init__.py": "",
        "package/part.py": "import torch\nx = 1",
        "circle.py": "import circle_too",
        "circle_too.py": "import circle",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert needs([code], tmp_path) == CASES[code]


def test_a_glance_at_a_page_finds_what_its_fences_and_its_snippets_import(tmp_path: Path) -> None:
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets/shown.py").write_text("import torch\n")
    page = fence("import numpy as np") + fence('--8<-- "shown.py:part"') + fence('--8<-- "no.py"')
    assert hinted(page, tmp_path, "snippets") == {"numpy", "torch"}
