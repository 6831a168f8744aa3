"""A process that runs one page: forked, watched, killed beyond its limits, and cleaned up after."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import psutil

from proofread.running import worker

TICK = 0.05  # seconds between two looks at it
FAMILY = 0.5  # and between two counts of the processes that it started
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


class Hand:
    """One page that runs."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.job = job
        self.started = time.monotonic()
        self.limit = float(job["timeout"])
        self.killed = ""
        self.status = 0
        self.over = False  # its page has come to its end
        self.buffer = b""
        self.out, self.trace = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self.pipe, end = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            self._live(end)
        os.close(end)
        os.set_blocking(self.pipe, False)
        self.process = psutil.Process(self.pid)
        self.family, self.counted = [self.process], self.started

    def _live(self, end: int) -> None:
        """What the worker's process does, from its first breath to its last."""
        status, leave = 1, os._exit
        try:
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(self.out.fileno(), 1)
            os.dup2(self.trace.fileno(), 2)
            faulthandler.enable(self.trace, all_threads=False)
            faulthandler.register(signal.SIGUSR1, self.trace, all_threads=False)
            voice = os.fdopen(end, "wb", buffering=0)
            os._exit = self._leaving(leave)  # type: ignore[assignment]
            worker.work(self.job, lambda said: write(voice, said))
            write(voice, {"over": True})
            status = 0
        except BaseException as error:
            with contextlib.suppress(BaseException):
                os.write(self.trace.fileno(), f"{type(error).__name__}: {error}\n".encode())
        finally:
            leave(status)  # threads that the page left behind do not keep it alive

    def _leaving(self, leave: Callable[[int], NoReturn]) -> Callable[[int], NoReturn]:
        """An os._exit that tells where it was called."""

        def told(status: int) -> NoReturn:
            faulthandler.dump_traceback(self.trace, all_threads=False)
            leave(status)

        return told

    def hear(self) -> list[dict[str, Any]]:
        """What it has said since the last time."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.pipe, 1 << 16):
                self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        said = [json.loads(line) for line in lines]
        for one in said:
            self.over |= "over" in one
            if "block" in one:
                self.started = time.monotonic()
                self.limit = float(one["limit"] or self.job["timeout"])
        return [one for one in said if "over" not in one]

    def watch(self) -> None:
        """Kill it if it goes beyond a limit."""
        if self.killed:
            return
        if time.monotonic() - self.started > self.limit:
            self._kill(f"ran longer than {self.limit:g} s and was stopped")
        elif self._resident() > self.job["memory"]:
            self._kill(f"took more than {self.job['memory'] / 2**30:g} GiB and was stopped")
        elif _written(self.pid) > self.job["output"]:
            self._kill(f"printed more than {self.job['output'] / 2**20:g} MiB and was stopped")

    def ended(self) -> bool:
        """True once its process is gone, and everything that it started with it."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if not pid:
            return False
        _end_group(self.pid)
        self.status = os.waitstatus_to_exitcode(status)
        return True

    @property
    def end(self) -> str:
        """Why it ended before its page did; empty if it did not."""
        if self.killed or self.over:
            return self.killed
        how = signal.Signals(-self.status).name if self.status < 0 else f"status {self.status}"
        return f"ended its own process with {how}"

    def close(self) -> str:
        """Where Python was when it was killed, from its own traceback."""
        os.close(self.pipe)
        self.trace.seek(0)
        told = self.trace.read().decode(errors="replace")
        self.out.close()
        self.trace.close()
        return told[-4000:]

    def _resident(self) -> int:
        """The memory in use by the process, and by those it started, in bytes."""
        now = time.monotonic()
        if now > self.counted + FAMILY:  # to find them is slow
            self.counted = now
            with contextlib.suppress(psutil.Error):
                self.family = [self.process, *self.process.children(recursive=True)]
        size = 0
        for one in self.family:
            with contextlib.suppress(psutil.Error):
                size += one.memory_info().rss
        return size

    def _kill(self, why: str) -> None:
        self.killed = why
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGUSR1)  # say where you are
            time.sleep(TICK)
            os.kill(self.pid, signal.SIGKILL)


def write(file: Any, what: Mapping[str, Any]) -> None:
    data = json.dumps(what).encode() + b"\n"
    while data:
        data = data[file.write(data) :]


def prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _written(pid: int) -> int:
    """How much its stdout and stderr hold just now; on systems that do not tell, nothing."""
    size = 0
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):
            size += Path(f"/proc/{pid}/fd/{descriptor}").stat().st_size
    return size


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
