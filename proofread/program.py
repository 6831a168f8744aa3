"""A page is a program: its fences and its claims, in order, in one fresh namespace."""

from __future__ import annotations

import ast
import contextlib
import linecache
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO

from proofread.claims import Claim
from proofread.expressions import Name
from proofread.fences import Code
from proofread.marks import Finding
from proofread.operations import Result
from proofread.page import Page
from proofread.settings import Settings
from proofread.suggest import suggest
from proofread.values import Value, exact, flatten, shape


@dataclass
class Answer:
    """What code says about one claim."""

    parts: list[list[Value]] = field(default_factory=list)  # one list per value of the expression
    operands: list[Value] = field(default_factory=list)
    bindings: dict[Name, Result] = field(default_factory=dict)  # of the page's `let`
    shape: tuple[int, ...] | None = None
    text: str = ""  # of a value that is no number
    block: int = -1  # the block that gave the claim's names their values; −1 for none
    error: str = ""
    recorded: bool = False  # it is about a block that cannot run on this system

    @property
    def values(self) -> list[Value]:
        return [value for part in self.parts for value in part]


@dataclass
class Outcome:
    """What became of a page's program."""

    outputs: list[str] = field(default_factory=list)  # of its blocks, in order
    devices: list[str] = field(default_factory=list)  # where each block did its work
    answers: dict[int, Answer] = field(default_factory=dict)  # by the number of the claim
    hints: dict[int, list[str]] = field(default_factory=dict)  # offset of a number: expressions
    failure: Finding | None = None  # the block that raised; nothing after it has run


class Failed(Exception):
    """A block raised, or tried to end the program."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def run(page: Page, settings: Settings = Settings()) -> Outcome:
    """Run a page here, in this process. A claim waits until the names it uses are defined."""
    program, outcome = Program(page, settings), Outcome()
    steps: list[tuple[int, Code | Claim]] = [(code.start, code) for code in page.blocks_run]
    steps += [(claim.start, claim) for claim in page.claims if claim.kind == "computed"]
    waiting: list[Claim] = []
    for _, step in sorted(steps, key=lambda pair: pair[0]):
        if isinstance(step, Code):
            try:
                outcome.outputs.append(program.execute(step))
                outcome.devices.append(program.device)
            except Failed as failed:
                outcome.failure = failed.finding
                return outcome
        else:
            waiting.append(step)
        for claim in list(waiting) if isinstance(step, Code) else [step]:
            answer = program.answer(claim)
            outcome.answers[page.claims.index(claim)] = answer
            if not answer.error.startswith("no name"):
                waiting.remove(claim)
    outcome.hints = suggest(page, program.namespace)
    return outcome


class Program:
    """A namespace that grows from block to block."""

    def __init__(self, page: Page, settings: Settings = Settings()) -> None:
        self.page, self.settings = page, settings
        self.namespace: dict[str, object] = {"__name__": "__main__"}
        self.makers: dict[str, int] = {}  # name -> the block that last gave it a value
        self.count = 0
        self.device = ""  # where the last block did its work
        self.absent: set[str] = set()  # names that a block which cannot run here would define

    def execute(self, code: Code) -> str:
        """Run a block and return everything that it, and what it calls, wrote to stdout."""
        linecache.cache[code.path] = (len(code.text), None, code.text.splitlines(True), code.path)
        before = dict(self.namespace)
        self.namespace["__file__"] = code.path
        with _captured() as written:
            try:
                exec(compile(code.text, code.path, "exec", dont_inherit=True), self.namespace)
            except ImportError as error:
                if error.name not in self.settings.recorded or code.expected is None:
                    raise Failed(self._finding(code, error)) from error
                return self._record(code, code.expected)
            except BaseException as error:  # SystemExit, too: a block must not end the build
                raise Failed(self._finding(code, error)) from error
            finally:
                sys.stdout.flush()
                written.seek(0)
                output = written.read()
        self.makers |= {
            name: self.count
            for name, value in self.namespace.items()
            if name not in before or before[name] is not value
        }
        self.count += 1
        self.device = self._device(code)
        return output

    def answer(self, claim: Claim) -> Answer:
        answer = Answer(block=self._block(claim))
        if claim.problem:
            return answer
        try:
            for source, result in self._evaluate(claim.value):
                if claim.scope == "text":
                    answer.text = str(result)
                    return answer
                answer.parts.append(flatten(result, source))
                answer.shape = shape(result)
            if len(answer.parts) != 1:
                answer.shape = None
            for source, result in self._evaluate(claim.operands):
                answer.operands += flatten(result, source)
            if claim.scope == "math":
                self._bind(claim, answer)
        except NameError as error:
            answer.error = f"no name {error.name!r} on this page"
            if error.name in self.absent:
                answer.error, answer.recorded = "", True
        except Exception as error:  # a claim may fail in any way its author can think of
            answer.error = f"{type(error).__name__}: {error}"
        return answer

    def _finding(self, code: Code, error: BaseException) -> Finding:
        """file:line: what, where the page shows it, and the block's own traceback."""
        tb: TracebackType | None = error.__traceback__
        while tb and tb.tb_frame.f_code.co_filename != code.path:
            tb = tb.tb_next
        at = tb.tb_lineno if tb else getattr(error, "lineno", None) or code.line
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        if isinstance(error, SystemExit):
            what = f"the block ends the program ({what})"
        trace = "".join(traceback.format_exception(type(error), error, tb)).rstrip()
        indented = "\n".join("    " + line for line in trace.splitlines())
        return Finding(code.start, "failed", f"{code.path}:{at}: {what}\n{indented}")

    def _record(self, code: Code, expected: str) -> str:
        """Show what a block printed where it could run; claims about its names have to wait."""
        self.absent |= {
            node.id
            for node in ast.walk(ast.parse(code.text))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        } - set(self.namespace)
        self.count += 1
        self.device = "recorded"
        return expected

    def _device(self, code: Code) -> str:
        """The label of the package that the block's own names come from; nothing if none has."""
        names = {node.id for node in ast.walk(ast.parse(code.text)) if isinstance(node, ast.Name)}
        homes = {getattr(self.namespace.get(name), "__module__", None) or "" for name in names}
        for package, attribute in self.settings.devices.items():
            if any(home.partition(".")[0] == package for home in homes):
                return str(getattr(sys.modules[package], attribute))
        return ""

    def _block(self, claim: Claim) -> int:
        """The latest of the blocks that gave the names in a claim their values."""
        tree = ast.parse(f"[{claim.value}],[{claim.operands}]") if not claim.problem else None
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else ()
        return max((self.makers[name] for name in names if name in self.makers), default=-1)

    def _bind(self, claim: Claim, answer: Answer) -> None:
        """Give symbols their values. Only a formula without any other proof insists on it."""
        formula = claim.piece.formula if claim.piece else None
        for name in formula.used if formula else ():
            index = dict(zip("ij", name.index, strict=False))
            try:
                value = eval(claim.lets[name.source], self.namespace, index)
                answer.bindings[name] = exact(value)
            except NameError:
                if claim.itself:
                    raise

    def _evaluate(self, expression: str) -> list[tuple[str, object]]:
        """Source and value of each part of `a, b` or `*w`."""
        if not expression:
            return []
        listed = ast.parse(f"[{expression}]", mode="eval").body
        assert isinstance(listed, ast.List)
        found: list[tuple[str, object]] = []
        for item in listed.elts:
            starred = isinstance(item, ast.Starred)
            source = ast.unparse(item).removeprefix("*")
            result = eval(source, self.namespace)
            if starred:
                found += [(f"{source}[{i}]", part) for i, part in enumerate(result)]
            else:
                found.append((source, result))
        return found


@contextlib.contextmanager
def _captured() -> Iterator[IO[str]]:
    """Everything written to stdout: by Python, and by whatever writes to file descriptor 1."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", buffering=1) as file:
        sys.stdout.flush()
        saved = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            with contextlib.redirect_stdout(file):
                yield file
        finally:
            os.dup2(saved, 1)
            os.close(saved)
