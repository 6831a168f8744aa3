"""The site under test: built as for publishing, served below a path as most sites are."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PATH = "book"

HOME = ""
FIRST = "chapters/00-tokens/"
CHAPTER = "chapters/07-worked-example/"
LAB = "labs/01-from-nothing/"


def address_of(page: Path) -> str:
    """Where the site has a page of docs/, below the site's own address."""
    where = page.relative_to(DOCS).with_suffix("").as_posix()
    return "" if where == "index" else f"{where.removesuffix('/index')}/"


SOURCES = sorted([*DOCS.rglob("*.md"), *DOCS.glob("labs/*.py")])
PAGES = {address_of(page): page for page in SOURCES}


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder's `book/`; gives its address."""
    server = _Server(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{PATH}/"
    server.shutdown()
    server.server_close()


def build(folder: Path, address: str) -> None:
    """Build the book into a folder's `book/`, for the address it will have."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder / PATH)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "SITE_URL": address},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"the book does not build\n{done.stderr[-4000:]}")


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """A browser that closes while something loads is nothing to report."""


class _Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",  # Windows may say otherwise
        ".woff2": "font/woff2",
    }

    def log_message(self, *_: Any) -> None:
        pass
