"""python -m tests.bench: this book's builder beside others, on eight pages with 32 blocks."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.bench import report, scale, source, venv
from tests.bench.measure import Bench, Result
from tests.bench.ours import OURS
from tests.bench.source import Book
from tests.bench.tools import OTHERS

RECORD = venv.ROOT / "docs/reference/bench.toml"


def main() -> None:
    options = _options()
    book, work = source.load(), Path(tempfile.mkdtemp(prefix="bench-"))
    own = Path(sys.executable)
    try:
        others, failed = venv.make()
        tools = {OURS: own} | {tool: others for tool in OTHERS if tool.name not in failed}
        if options.only:
            tools = {tool: python for tool, python in tools.items() if tool.name in options.only}
        results = Bench(work, _say).run(book, tools, options.runs)
        results |= {name: Result(failure=f"not installed: {told}") for name, told in failed.items()}
        sizes = _scale(book, work) if options.scale else []
        versions = {
            tool.name: venv.versions(python, tool.made_of) for tool, python in tools.items()
        }
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(report.table(results, sizes))
    if options.record:
        text = report.toml(results, sizes, versions, options.runs, len(book.pages))
        RECORD.write_text(text, encoding="utf-8")
        print(f"Recorded in {RECORD.relative_to(venv.ROOT)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="builds of each kind (default 3)")
    parser.add_argument("--record", action="store_true", help="write docs/reference/bench.toml")
    parser.add_argument("--only", action="append", metavar="TOOL", help="this tool, not all")
    parser.add_argument(
        "--no-scale", dest="scale", action="store_false", help="leave out the larger books"
    )
    return parser.parse_args()


def _scale(book: Book, work: Path) -> list[scale.Size]:
    found = []
    try:
        for size in scale.sizes(book, work):
            found.append(size)
            _say(str(size))
    except scale.ScaleError as error:
        _say(str(error))
    return found


def _say(told: str) -> None:
    print(told, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
