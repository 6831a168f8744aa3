"""Builds the book with each tool, turn by turn, and takes the time and the stale pages."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import oracle, ours
from tests.bench.build import build
from tests.bench.source import EDITS, Book, write
from tests.bench.tools import Tool

COLUMNS = ("cold", "warm", *(edit.name for edit in EDITS))


@dataclass
class Result:
    """What became of one tool, by column: the seconds of each run, and every page ever stale."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    stale: dict[str, set[str]] = field(default_factory=dict)
    failure: str = ""

    @property
    def medians(self) -> dict[str, float]:
        return {column: statistics.median(times) for column, times in self.seconds.items()}


@dataclass(frozen=True)
class State:
    """The book as one column builds it, and what its pages have to show."""

    book: Book
    printed: dict[str, list[str]]
    sentence: tuple[str, str] = ("", "")  # a page, and a phrase that is in its prose now


@dataclass(frozen=True)
class Bench:
    work: Path  # a folder for all that is built
    say: Callable[[str], None]

    def run(self, book: Book, tools: dict[Tool, Path], runs: int) -> dict[str, Result]:
        """Each tool with its interpreter. In a run all tools take a column, then the next."""
        results = {tool.name: Result() for tool in tools}
        states = self._states(book)
        for number in range(1, runs + 1):
            for tool in tools:
                self._prepare(tool)
            for column, state in states.items():
                for tool, python in tools.items():
                    if not results[tool.name].failure:
                        told = self._build(tool, python, column, state, results[tool.name])
                        self.say(f"run {number}, {tool.name}, {column}: {told}")
        return results

    def _states(self, book: Book) -> dict[str, State]:
        """Each edit is made upon those before it."""
        first = State(book, oracle.outputs(book, self.work / "oracle"))
        states = {"cold": first, "warm": first}
        printed = first.printed
        for edit in EDITS:
            book = book.edited(edit)
            if not edit.prose:
                printed = oracle.outputs(book, self.work / "oracle")
            prose = (Path(edit.file).stem, edit.new) if edit.prose else ("", "")
            states[edit.name] = State(book, printed, prose)
        return states

    def _prepare(self, tool: Tool) -> None:
        folder = self.work / tool.name
        shutil.rmtree(folder, ignore_errors=True)
        if tool is ours.OURS:
            ours.copy_builder(folder)

    def _build(self, tool: Tool, python: Path, column: str, state: State, result: Result) -> str:
        folder = self.work / tool.name
        write(tool.files(state.book), folder)
        seconds, failure = build(python, tool.command, folder)
        if failure:
            result.failure = f"{column}: {failure}"
            return failure
        stale = oracle.stale(tool.pages(state.book, folder), state.printed, *state.sentence)
        result.seconds.setdefault(column, []).append(seconds)
        result.stale.setdefault(column, set()).update(stale)
        return f"{seconds:.2f} s" + (f", stale: {', '.join(stale)}" if stale else "")
