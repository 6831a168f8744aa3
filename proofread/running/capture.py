"""Catches all that a block writes: from Python, from C code, and from the processes it starts."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator
from io import TextIOWrapper
from typing import IO

WARNINGS = 4000  # characters of stderr that are kept: the last ones


class Capture:
    """Takes file descriptors 1 and 2 while a block runs. A capture is used for one block."""

    def __init__(self) -> None:
        self.output = b""
        self.errors = ""

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with _instead("stdout", 1, out), _instead("stderr", 2, err):
                yield
            out.seek(0)
            self.output = out.read()
            err.seek(0)
            self.errors = err.read().decode(errors="replace")[-WARNINGS:]


@contextlib.contextmanager
def _instead(name: str, descriptor: int, file: IO[bytes]) -> Iterator[None]:
    """Sends sys.stdout or sys.stderr, and what lies below it, to a file."""
    before, saved = getattr(sys, name), os.dup(descriptor)
    before.flush()
    os.dup2(file.fileno(), descriptor)
    text = TextIOWrapper(os.fdopen(os.dup(descriptor), "wb", 0), "utf-8", write_through=True)
    setattr(sys, name, text)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError, OSError):  # the block may have closed it
            text.flush()
        _flush_c()
        setattr(sys, name, before)
        os.dup2(saved, descriptor)
        os.close(saved)
        with contextlib.suppress(ValueError, OSError):
            text.close()


def _flush_c() -> None:
    """C code has a buffer of its own in front of the descriptor."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).fflush(None)
