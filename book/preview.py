"""The live preview: MkDocs' own server, made to survive whatever a writer does.

A build that fails is shown in place of the pages until the next one succeeds. A change in the
book's own machinery, which is loaded already, starts the server anew.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.commands import build, serve
from mkdocs.exceptions import Abort, MkDocsException
from mkdocs.livereload import LiveReloadServer

from book.rendering import ROOT

MACHINERY = ("book", "proofread")
LOOK = 0.2  # seconds between two looks at the files
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Cannot build</title>
<meta name="viewport" content="width=device-width"><body style="font: 1rem/1.5 system-ui;
 max-width: 60rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark">
<h1>The book cannot be built just now</h1><p>The page comes back when this is mended:</p>
<pre style="white-space: pre-wrap">{}</pre></body></html>"""


def install() -> None:
    """Make `mkdocs serve` behave as described above."""
    vars(serve).update(build=_shown(build.build), LiveReloadServer=Server)


class Server(LiveReloadServer):
    def __init__(self, builder: Callable[[], None], **options: Any) -> None:
        super().__init__(builder, polling_interval=LOOK, **options)
        self.builder = lambda: self._build(builder)
        self._started = time.time()

    def server_bind(self) -> None:
        try:
            super().server_bind()
        except OSError as error:
            told = f"Cannot serve at {self.url} ({error.strerror}). Is a preview running already?"
            raise Abort(told) from None

    def _build(self, builder: Callable[[], None]) -> None:
        if any(file.stat().st_mtime > self._started for file in _machinery()):
            shutil.rmtree(self.root, ignore_errors=True)
            os.execv(sys.executable, [sys.executable, "-m", "book.build", "--serve"])
        try:
            builder()
        except (Exception, SystemExit) as error:  # mkdocs.yml itself, perhaps
            show(error, Path(self.root), [])


def show(error: BaseException, site: Path, pages: Sequence[Path]) -> None:
    """Put what went wrong in the place of every page."""
    if isinstance(error, MkDocsException):
        told = str(error)
    else:
        told = "".join(traceback.format_exception(error)).replace(f"{ROOT}/", "")
    print(told, file=sys.stderr)
    site.mkdir(exist_ok=True)
    for page in {site / "index.html", site / "404.html", *site.rglob("*.html"), *pages}:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(PAGE.format(escape(told)), encoding="utf-8")


def _shown(build: Callable[..., None]) -> Callable[..., None]:
    def guarded(config: Any, **options: Any) -> None:
        before = list(Path(config.site_dir).rglob("*.html"))
        try:
            build(config, **options)
        except (Exception, SystemExit) as error:
            show(error, Path(config.site_dir), before)

    return guarded


def _machinery() -> list[Path]:
    return [file for folder in MACHINERY for file in (ROOT / folder).rglob("*.py")]
