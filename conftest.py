"""Pages are tests, the README among them: each executed block and each claim, through sybil."""

from __future__ import annotations

from pathlib import Path

import pytest
from sybil import Sybil

from proofread.sybil_parser import Notebook, PageParser

ROOT = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In parallel, the tests of a file stay together; or of a widget, if a file tests them all."""
    for item in items:
        widget = item.callspec.params.get("tag", "") if hasattr(item, "callspec") else ""
        item.add_marker(pytest.mark.xdist_group(f"{item.path} {widget}"))


pytest_collect_file = Sybil(
    parsers=[PageParser(ROOT)],
    path=str(ROOT),
    patterns=["README.md", "CONTRIBUTING.md", "docs/**/*.md", "docs/labs/*.py"],
    document_types={".py": Notebook},
).pytest()
