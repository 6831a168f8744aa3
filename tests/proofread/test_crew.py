"""A page's program cannot hurt: not the other pages, not the machine, not whoever runs it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from proofread.proof import Proof, prove_all
from proofread.settings import load
from tests.proofread.conftest import fence

GOOD = fence("x = 2") + "\nIt is 2<!-- = x -->.\n"


def both(book: Path, bad: str, **limits: float) -> Proof:
    """Prove a bad page beside a good one, which must not notice; the bad one's proof."""
    (book / "01-page.md").write_text(bad)
    (book / "02-good.md").write_text(GOOD)
    lines = "".join(f"{k} = {v}\n" for k, v in ({"timeout": 20} | limits).items())
    settings = (book / "pyproject.toml").read_text().replace("timeout = 20\n", lines)
    (book / "pyproject.toml").write_text(settings)
    proof, good = prove_all([book / "01-page.md", book / "02-good.md"], load(book))
    assert not good.findings, good.report_all
    return proof


LIMITS = {
    "an endless loop": (
        fence("x = 1\nwhile True:\n    pass"),
        {"timeout": 1},
        r"01-page.md:1:1: 01-page.md:[34]: its program ran longer than 1 s and was stopped",
    ),
    "an endless loop in a later block": (
        fence("x = 1") + "\n" + fence("import time\ntime.sleep(60)"),
        {"timeout": 1},
        r"01-page.md:5:1: 01-page.md:7: its program ran longer than 1 s",
    ),
    "a fence with less time than others": (
        fence("while True: pass", 'exec="on" timeout="0.5"'),
        {"timeout": 100},
        r"01-page.md:1:1: 01-page.md:2: its program ran longer than 0.5 s",
    ),
    "an endless claim": (
        fence("def f():\n    while True: pass") + "\nIt is 1<!-- = f() -->.\n",
        {"timeout": 1},
        r"01-page.md:1:1: 01-page.md:3: its program ran longer than 1 s",
    ),
    "memory without end": (
        fence("x = []\nwhile True:\n    x.append(bytearray(b'x' * 2**24))"),
        {"memory": 0.5, "timeout": 60},
        r"01-page.md:1:1: 01-page.md:[34]: its program took more than 0.5 GiB and was stopped",
    ),
    "memory of a child": (
        fence(
            "import subprocess, sys\nrun = subprocess.run\n"
            "run([sys.executable, '-c', 'x = b\"x\" * 2**30; import time; time.sleep(60)'])"
        ),
        {"memory": 0.5, "timeout": 60},
        r"01-page.md:1:1: 01-page.md:4: its program took more than 0.5 GiB",
    ),
    "output without end": (
        fence("while True:\n    print('x' * 1000)"),
        {"output": 0.25, "timeout": 60},
        r"01-page.md:1:1: 01-page.md:[23]: its program printed more than 0.25 MiB",
    ),
    "output beyond what a page shows": (
        fence("print('x' * 2**20)"),
        {"output": 0.25, "timeout": 60},
        r"01-page.md:1:1: 01-page.md:2: (its program )?printed more than 0.25 MiB",
    ),
    "warnings without end": (
        fence("import sys\nwhile True:\n    print('x' * 1000, file=sys.stderr)"),
        {"output": 0.25, "timeout": 60},
        r"01-page.md:1:1: 01-page.md:[34]: its program printed more than 0.25 MiB",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", LIMITS)
def test_a_program_beyond_a_limit_is_stopped_where_it_is(book: Path, fault: str) -> None:
    text, limits, wanted = LIMITS[fault]
    report = both(book, text, **limits).report_all
    assert re.match(wanted, report), report
    assert "proofread" not in report, "no traceback of ours"


def test_what_blocks_said_before_the_end_still_counts(book: Path) -> None:
    text = fence("x = 1") + "\nIt is 3<!-- = x -->.\n\n" + fence("import os\nos._exit(1)")
    report = both(book, text).report_all
    assert "page says 3, code says 1" in report
    assert "01-page.md:9: its program ended its own process" in report


HARMLESS = {
    "another folder": "import os\nos.chdir('/')",
    "another environment": "import os\nos.environ.clear()",
    "other builtins": "import builtins\nbuiltins.len = builtins.print = None",
    "no stdout": "import os, sys\nsys.stdout.close()\nos.close(1)",
    "no stderr": "import sys\nsys.stderr = None",
    "a thread": "import threading\nthreading.Thread(target=__import__('time').sleep, args=[987654]).start()",
    "a handler": "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "an exit handler": "import atexit, time\natexit.register(time.sleep, 987654)",
}


@pytest.mark.parametrize("change", HARMLESS)
def test_what_a_block_changes_stays_in_its_page(book: Path, change: str) -> None:
    before = Path.cwd(), dict(os.environ)
    proof = both(book, fence("x = 2\n" + HARMLESS[change]) + "\n2<!-- = x -->\n")
    assert not proof.findings, proof.report_all
    assert (Path.cwd(), dict(os.environ)) == before
    assert not sleepers(), "nothing waits for it"


LEFT = {
    "a child": "subprocess.Popen(command)",
    "a child in a session of its own": "subprocess.Popen(command, start_new_session=True)",
    "a grandchild": "subprocess.Popen(['sh', '-c', 'sleep 987654 & exit'])",
    "a fork": "os.fork() or time.sleep(987654)",
}


@pytest.mark.parametrize("left", LEFT)
def test_no_process_is_left_behind(book: Path, left: str) -> None:
    code = f"import os, subprocess, time\ncommand = ['sleep', '987654']\n_ = {LEFT[left]}"
    before = frozenset(process.pid for process in psutil.process_iter())
    proof = both(book, fence(code))
    assert not proof.findings, proof.report_all
    assert not sleepers(before)


def sleepers(before: frozenset[int] = frozenset()) -> list[str]:
    """Processes of this test that still live, after a moment to end."""
    for _ in range(50):
        found = [
            " ".join(process.info["cmdline"] or [])
            for process in psutil.process_iter(["cmdline", "pid", "status"])
            if process.pid not in before
            and process.info["status"] != psutil.STATUS_ZOMBIE
            and re_sleeps(process.info["cmdline"])
        ]
        if not found:
            break
        time.sleep(0.1)
    return found


def re_sleeps(command: list[str] | None) -> bool:
    line = " ".join(command or [])
    return "987654" in line and "pytest" not in line


def listen_to_ctrl_c() -> None:
    """A process that was started in the background is deaf to it, and so are its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stop(process: subprocess.Popen[Any], began: Path, how: signal.Signals) -> None:
    """Send a signal once a file tells that a block runs: all that was started ends."""
    for _ in range(300):
        if began.exists():
            break
        time.sleep(0.1)
    time.sleep(0.2)
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(how)
    process.wait(20)
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_nothing_running(book: Path, how: signal.Signals) -> None:
    code = "import subprocess, sys, time\nopen('began', 'w').close()\n"
    code += "subprocess.Popen(['sleep', '987654'], start_new_session=True)\ntime.sleep(987654)"
    (book / "01-page.md").write_text(fence(code))
    command = [sys.executable, "-m", "proofread", "check", "--root", str(book)]
    asked = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=listen_to_ctrl_c
    )
    stop(asked, book / "began", how)
    assert not sleepers()
