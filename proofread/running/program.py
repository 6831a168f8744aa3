"""Runs a page's blocks in one namespace, in this process, and evaluates expressions there."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import linecache
import sys
import traceback
from collections.abc import Iterator, Sequence
from types import TracebackType

from proofread.marks import Finding
from proofread.page import Page
from proofread.reading.fences import Code
from proofread.running import figures
from proofread.running.capture import Capture
from proofread.running.environment import has_gpu
from proofread.running.outcome import Failed, Outcome, Ran, walk
from proofread.running.said import Ask, Said, say
from proofread.settings import Settings
from proofread.suggest import candidates
from proofread.values import Value


def run(page: Page, settings: Settings = Settings()) -> Outcome:
    """Run a page here, in this process."""
    return walk(page, Program(settings))


class Program:
    """A namespace that grows from block to block."""

    def __init__(self, settings: Settings = Settings()) -> None:
        self.settings = settings
        self.namespace: dict[str, object] = {"__name__": "__main__"}
        self.builtins: dict[str, object] = {}  # those that the page has changed
        self.count = 0

    def execute(self, code: Code) -> Ran:
        """Run a block; what it prints is what it and all that it calls wrote to stdout."""
        self.count += 1
        if code.needs_gpu and not has_gpu():
            return self.record(code)
        linecache.cache[code.path] = (len(code.text), None, code.text.splitlines(True), code.path)
        before = dict(self.namespace)
        self.namespace["__file__"] = code.path
        capture = Capture()
        try:
            with capture(), self._builtins():
                exec(compile(code.text, code.path, "exec", dont_inherit=True), self.namespace)
            drawn = self._draw(code)
        except Failed:
            raise
        except ImportError as error:
            if error.name not in self.settings.recorded or code.expected is None:
                raise Failed(_finding(code, error, capture.errors)) from error
            return self.record(code)
        except BaseException as error:  # SystemExit, too: a block must not end the build
            raise Failed(_finding(code, error, capture.errors)) from error
        most = self.settings.output
        if len(capture.output) > most * 2**20:
            raise _failed(code, f"printed more than {most:g} MiB")
        return Ran(
            _decoded(capture.output, code),
            capture.errors,
            self._device(code),
            drawn,
            tuple(
                name
                for name, value in self.namespace.items()
                if name not in before or before[name] is not value
            ),
        )

    def evaluate(self, ask: Ask) -> Said:
        try:
            index = dict(zip("ij", ask.subscripts, strict=False))
            with self._builtins():
                result = eval(ask.expression, self.namespace, index)
            return say(result, ask.expression)
        except NameError as error:
            return Said(missing=error.name or str(error))
        except Exception as error:  # a claim may fail in any way its author can think of
            return Said(error=f"{type(error).__name__}: {error}")

    def candidates(self) -> Sequence[Value]:
        return list(candidates(self.namespace))

    def record(self, code: Code) -> Ran:
        """Show what a block printed where it could run; claims about its names have to wait."""
        if code.expected is None:
            raise _failed(code, "needs a GPU, and no run of it is on record")
        stored = {
            node.id
            for node in ast.walk(ast.parse(code.text))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        absent = tuple(sorted(stored - set(self.namespace)))
        return Ran(code.expected, device="recorded", absent=absent, recorded="elsewhere")

    @contextlib.contextmanager
    def _builtins(self) -> Iterator[None]:
        """What a page does to Python's own names is done to its blocks, and not to us."""
        ours = dict(vars(builtins))
        vars(builtins).update(self.builtins)
        try:
            yield
        finally:
            theirs = dict(vars(builtins))
            vars(builtins).update(ours)
            self.builtins = {k: v for k, v in theirs.items() if ours.get(k) is not v}

    def _draw(self, code: Code) -> tuple[str, ...]:
        """The figures that the block leaves open, which have to say what they show."""
        alt = code.attributes.get("alt", "")
        if not alt and figures.drawn():
            raise _failed(code, 'draws a figure: say what it shows with alt="…" on the fence')
        if alt and not figures.drawn():
            raise _failed(code, "has an alt text and draws no figure")
        return figures.take(f"figure-{self.count}", alt) if alt else ()

    def _device(self, code: Code) -> str:
        """The label of the package that the block's own names come from; nothing if none has."""
        names = {node.id for node in ast.walk(ast.parse(code.text)) if isinstance(node, ast.Name)}
        homes = {getattr(self.namespace.get(name), "__module__", None) or "" for name in names}
        for package, attribute in self.settings.devices.items():
            if any(home.partition(".")[0] == package for home in homes):
                return str(getattr(sys.modules[package], attribute))
        return ""


def _decoded(output: bytes, code: Code) -> str:
    try:
        return io.TextIOWrapper(io.BytesIO(output), "utf-8").read()
    except UnicodeDecodeError as error:
        line = output.count(b"\n", 0, error.start) + 1
        told = f"line {line} of its output is not UTF-8 (byte 0x{output[error.start]:02x})"
        raise _failed(code, told) from None


def _failed(code: Code, told: str) -> Failed:
    return Failed(Finding(code.start, "failed", f"{code.path}:{code.first}: {told}"))


def _finding(code: Code, error: BaseException, warned: str) -> Finding:
    """file:line: what, where the page shows it, and the block's own traceback."""
    tb: TracebackType | None = error.__traceback__
    while tb and tb.tb_frame.f_code.co_filename != code.path:
        tb = tb.tb_next
    at = tb.tb_lineno if tb else getattr(error, "lineno", None) or code.first
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, SystemExit):
        what = f"the block ends the program ({what})"
    trace = "".join(traceback.format_exception(type(error), error, tb))
    lines = [*warned.rstrip().splitlines()[-10:], *trace.rstrip().splitlines()]
    indented = "\n".join("    " + line for line in lines)
    return Finding(code.start, "failed", f"{code.path}:{at}: {what}\n{indented}".rstrip())
