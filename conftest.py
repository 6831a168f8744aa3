"""The pages of the book are tests: each executed block and each claim, through sybil."""

from __future__ import annotations

from pathlib import Path

from sybil import Sybil

from proofread.sybil_parser import PageParser

ROOT = Path(__file__).parent

pytest_collect_file = Sybil(
    parsers=[PageParser(ROOT)], path=str(ROOT / "docs"), pattern="**/*.md"
).pytest()
