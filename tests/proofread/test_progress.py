"""A run says how far it is, on a terminal and nowhere else."""

from __future__ import annotations

import io
from pathlib import Path

from proofread.page import parse
from proofread.running.progress import Progress
from tests.proofread.conftest import fence


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


PAGES = [parse(fence("x = 1") * 3, f"0{n}-page.md") for n in range(3)]


def shown(file: io.StringIO) -> list[str]:
    return [line for line in file.getvalue().split("\r\x1b[K") if line]


def test_a_terminal_sees_pages_blocks_and_what_is_left() -> None:
    file = Terminal()
    progress = Progress(file)
    progress.begin(PAGES, PAGES[1:])
    progress.block(PAGES[1].path, 1)
    progress.block(PAGES[1].path, 2)
    progress.block(PAGES[2].path, 3)
    progress.end()
    lines = shown(file)
    assert lines[0] == "2 pages: 0 of 6 blocks have run, 3 remembered"
    assert lines[2].startswith("2 pages: 1 of 6 blocks have run, 3 remembered, about ")
    assert lines[3].startswith("2 pages: 3 of 6 blocks have run")
    assert file.getvalue().endswith("\r\x1b[K"), "nothing of it stays"


def test_nothing_else_sees_it() -> None:
    file = io.StringIO()
    progress = Progress(file)
    progress.begin(PAGES, PAGES)
    progress.block(PAGES[0].path, 2)
    progress.end()
    assert file.getvalue() == ""


def test_a_run_of_nothing_says_nothing(tmp_path: Path) -> None:
    file = Terminal()
    progress = Progress(file)
    progress.begin(PAGES, [])
    progress.end()
    assert file.getvalue() == ""
