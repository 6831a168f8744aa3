"""sybil over the same lexer: each executed block and each claim of a page is a test.

    pytest_collect_file = Sybil(parsers=[PageParser(root)], pattern="*.md").pytest()

For notebooks, add their pattern and `document_types={".py": Notebook}`.

The page runs once, in a process of its own, when the first of its tests does: any test can run
alone. A test answers for everything since the one before it, and the last one for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from sybil import Document, Example, Region

from proofread import page as pages
from proofread.proof import Proof, prove_page
from proofread.reading import notebooks
from proofread.settings import load


class Notebook(Document):
    """A notebook in the percent format, as the page that it is: line by line the same."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(notebooks.as_page(text), path)


class PageParser:
    """Turns a Markdown page into sybil's regions."""

    def __init__(self, root: Path) -> None:
        self.settings = load(root)

    def __call__(self, document: Document) -> Iterator[Region]:
        name = self.settings.name(Path(document.path))
        page = pages.parse(document.text, name, self.settings)

        proof = cache(lambda: prove_page(page, self.settings))
        spans = sorted(
            [(code.start, code.end) for code in page.blocks_run]
            + [(claim.start, claim.end) for claim in page.claims]
        ) or [(0, len(document.text))]
        edges = [0, *(end for _, end in spans[:-1]), len(document.text) + 1]
        for (start, end), span in zip(spans, pairwise(edges), strict=True):
            yield Region(start, end, (proof, span), _evaluate)


def _evaluate(example: Example) -> str | None:
    prove, (start, end) = example.parsed
    proof: Proof = prove()
    found = [finding for finding in proof.findings if start <= finding.offset < end]
    return "\n".join(map(proof.report, found)) or None
