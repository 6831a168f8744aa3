"""The process that runs pages: it forks a worker for each, watches over it, and cleans up.

It reads one JSON object a line from stdin, `{"job": id, "needs": [module, …], …}` and at last
`{"preload": [module, …]}`, and writes what the workers say, each line with its job's id, and
`{"job": id, "end": why}` when one is done. What is slow to import it imports once, before it forks
those that need it, and nothing of the project's. A worker gets a session of its own and no stdin,
and is killed when it takes too long, too much memory, or prints without end; with it goes every
process it started. When stdin ends, whoever asked is gone: all is killed, and it ends too.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import sys
from threading import Thread
from typing import Any, BinaryIO

import psutil

from proofread.running.hand import PR_SET_CHILD_SUBREAPER, TICK, Hand, prctl, write


class Foreman:
    def __init__(self, hands: int, voice: BinaryIO) -> None:
        self.hands, self.voice = hands, voice
        self.jobs: list[dict[str, Any]] = []
        self.hired: list[Hand] = []
        self.loaded: set[str] = set()
        self.loading: Thread | None = None
        self.buffer = b""

    def run(self) -> None:
        os.set_blocking(0, False)
        while True:
            ready = [0, *(w.pipe for w in self.hired)]
            idle = not (self.hired or self.jobs)
            select.select(ready, [], [], None if idle else TICK)
            if not self._listen():
                break
            for one in list(self.hired):
                self._look_after(one)
            self._hire()
        for one in self.hired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
                os.kill(one.pid, signal.SIGKILL)
        _end_orphans()

    def _listen(self) -> bool:
        """Take what is asked; False once nobody can ask any more."""
        try:
            data = os.read(0, 1 << 20)
        except BlockingIOError:
            return True
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            asked = json.loads(line)
            if "job" in asked:
                self.jobs.append(asked)
            elif asked["preload"]:
                self._hire()  # who needs nothing need not wait
                order = asked["preload"], self.loading
                self.loading = Thread(target=self._load, args=order, daemon=True)
                self.loading.start()
        return bool(data)

    def _hire(self) -> None:
        if self.loading and self.loading.is_alive():
            return  # a fork would copy half an import
        for job in [job for job in self.jobs if self.loaded.issuperset(job["needs"])]:
            if len(self.hired) < self.hands:
                self.jobs.remove(job)
                self.hired.append(Hand(job))

    def _load(self, modules: list[str], before: Thread | None) -> None:
        if before:
            before.join()
        gc.disable()  # what is imported stays: to look for garbage takes a tenth of the time
        for module in modules:
            with contextlib.suppress(Exception):  # a page that imports it will say why
                importlib.import_module(module)
            self.loaded.add(module)
        gc.freeze()  # no worker looks through, and so copies, what all of them share
        gc.enable()

    def _look_after(self, one: Hand) -> None:
        one.watch()
        ended = one.ended()
        for said in one.hear():
            write(self.voice, {"job": one.job["job"], **said})
        if ended:
            self.hired.remove(one)
            write(self.voice, {"job": one.job["job"], "end": one.end, "trace": one.close()})
            if not self.hired:
                _end_orphans()


def _end_orphans() -> None:
    """Processes that a page's processes left to us."""
    for orphan in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            orphan.kill()
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def main(hands: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked decides when it is over
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    voice = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)  # what a module prints while it is imported is not for whoever listens
    Foreman(hands, voice).run()
    os._exit(0)  # what was imported need not be taken apart: nothing is left to say


if __name__ == "__main__":
    main(int(sys.argv[1]))
