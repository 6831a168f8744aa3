"""The live preview follows what a writer does, and survives it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.site.conftest import ENVIRONMENT, pages
from tests.site.test_interrupted_builds import PAGE, SETTINGS

CODE = "import helper\nprint(helper.word)"
Shows = Callable[[str], bool]


@pytest.fixture
def book(copy: Path) -> Path:
    """A book of one page with code, a claim and a module."""
    for page in pages(copy):
        page.unlink()
    claim = "\nIt has 4<!-- = len(helper.word) --> letters.\n"
    (copy / "docs/index.md").write_text(PAGE.format(CODE) + claim)
    (copy / "helper.py").write_text("word = 'once'\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"dev_addr: 127.0.0.1:{port}\nsite_url: http://127.0.0.1:{port}/\n"
    (copy / "mkdocs.yml").write_text(SETTINGS.format(f"watch: [helper.py, book]\n{address}"))
    (copy / "port").write_text(str(port))
    return copy


def test_a_second_preview_says_that_there_is_one(book: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", int((book / "port").read_text())))
        taken.listen()
        command = [sys.executable, "-m", "book.build", "--serve"]
        done = subprocess.run(command, cwd=book, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Is a preview running already?" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.fixture
def shows(book: Path) -> Iterator[Shows]:
    """Whether the first page comes to hold a text, which takes as long as a build."""
    server = subprocess.Popen(
        [sys.executable, "-m", "book.build", "--serve"],
        cwd=book,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{(book / 'port').read_text()}/"

    def look(text: str) -> bool:
        for _ in range(400):
            try:
                page = urllib.request.urlopen(address, timeout=10).read().decode()
            except urllib.error.HTTPError as error:
                page = error.read().decode()
            except OSError:
                page = ""
            if text in page:
                return True
            time.sleep(0.1)
        return False

    yield look
    server.terminate()
    server.wait(20)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_preview_follows_its_writer_and_survives(book: Path, shows: Shows) -> None:
    page = book / "docs/index.md"
    assert shows("once")
    edit(page, "letters.", "characters.")
    assert shows("characters."), "prose"
    edit(book / "helper.py", "once", "twice")
    assert shows("page says 4, code says 5"), "a module, and a number that is stale now"
    edit(page, "4<!--", "5<!--")
    assert shows("5</a></data> characters"), "mended"
    edit(page, "print(helper.word)", "1 / 0")
    assert shows("ZeroDivisionError"), "code that fails"
    edit(page, "1 / 0", "print(helper.word)")
    assert shows("twice")
    edit(book / "mkdocs.yml", "site_name: X", "site_name: [X")
    assert shows("The book cannot be built just now"), "settings that cannot be read"
    edit(book / "mkdocs.yml", "site_name: [X", "site_name: X")
    assert shows("5</a></data> characters"), "and mended"
    edit(book / "book/ledger.py", "page says", "the page has")
    assert shows("<th>the page has</th>"), "the machinery itself"
