"""What the current code gives, and which built pages do not show it.

The oracle is no builder: one interpreter runs each page's blocks, in a namespace for each page.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.bench.source import Book, write

RUN = """
import contextlib, io, json, sys
outputs = {}
for page, blocks in json.load(sys.stdin).items():
    namespace, outputs[page] = {"__name__": "__main__"}, []
    for block in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as written:
            exec(block, namespace)
        outputs[page].append(written.getvalue())
print(json.dumps(outputs))
"""


def outputs(book: Book, folder: Path) -> dict[str, list[str]]:
    """What each block of each page prints, by page."""
    write(book.named("lesson/") | book.named("data/"), folder)
    done = subprocess.run(
        [sys.executable, "-B", "-c", RUN],
        input=json.dumps({page: book.blocks(page) for page in book.pages}),
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"OMP_NUM_THREADS": "1"},  # more wait for each other when others run
        check=True,
    )
    return dict(json.loads(done.stdout))


def lines(markup: str) -> set[str]:
    """The lines of text that a reader of a page sees."""
    text = re.sub(r"</?(?:span|a)\b[^>]*>", "", markup)
    return {line.strip() for line in html.unescape(re.sub(r"<[^>]*>", "\n", text)).splitlines()}


def stale(
    pages: dict[str, Path], printed: dict[str, list[str]], page: str = "", phrase: str = ""
) -> list[str]:
    """The pages without some line that their code prints now, and `page` if it lacks the phrase."""
    found = []
    for name, outputs_ in printed.items():
        file = pages[name]
        markup = file.read_text(encoding="utf-8") if file.is_file() else ""
        wanted = {line.strip() for line in "".join(outputs_).splitlines() if line.strip()}
        if not wanted <= lines(markup) or (name == page and phrase not in markup):
            found.append(name)
    return found
