"""What stops a page: each fault gives one readable mark, at its place, and nothing is run twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofread.conftest import fence, proved

FAULTS = {
    "a block that raises": (
        fence("x = 1\ny = x / 0"),
        ["01-page.md:1:1: 01-page.md:3: ZeroDivisionError: division by zero", "y = x / 0"],
    ),
    "sys.exit": (
        fence("import sys\nsys.exit(0)"),
        ["01-page.md:3: the block ends the program (SystemExit: 0)"],
    ),
    "os._exit": (
        fence("import os\nos._exit(3)"),
        ["01-page.md:1:1: 01-page.md:3: its program ended its own process with status 3"],
    ),
    "os._exit that says all is well": (
        fence("import os\nos._exit(0)"),
        ["01-page.md:1:1: 01-page.md:3: its program ended its own process with status 0"],
    ),
    "os.abort": (
        fence("import os\nos.abort()"),
        ["01-page.md:1:1: 01-page.md:3: its program ended its own process with SIGABRT"],
    ),
    "a crash in C": (
        fence("import ctypes\nctypes.string_at(0)"),
        ["01-page.md:1:1: 01-page.md:3: its program ended its own process with SIGSEGV"],
    ),
    "output that is not UTF-8": (
        fence("import sys\nsys.stdout.buffer.write(b'a\\nb\\xff')"),
        ["01-page.md:1:1: 01-page.md:2: line 2 of its output is not UTF-8 (byte 0xff)"],
    ),
    "reading stdin": (
        fence("x = 1\nname = input()"),
        ["01-page.md:1:1: 01-page.md:3: EOFError: EOF when reading a line"],
    ),
    "a figure without words": (
        fence("from matplotlib import pyplot\npyplot.plot([1])"),
        ["01-page.md:1:1: 01-page.md:2: draws a figure: say what it shows with alt="],
    ),
    "words without a figure": (
        fence("x = 1", 'exec="on" alt="A line."'),
        ["01-page.md:1:1: 01-page.md:2: has an alt text and draws no figure"],
    ),
    "a time limit that is none": (
        fence("x = 1", 'exec="on" timeout="soon"'),
        ['01-page.md:1:1: timeout="soon" is not a number of seconds'],
    ),
    "a block for a GPU that never ran": (
        fence("x = 1", 'exec="on" on="gpu"'),
        ["01-page.md:1:1: 01-page.md:2: needs a GPU, and no run of it is on record"],
    ),
    "a syntax error": (fence("x = (1,"), ["01-page.md:2: SyntaxError: '(' was never closed"]),
    "a keyboard interrupt": (
        fence("raise KeyboardInterrupt"),
        ["01-page.md:2: KeyboardInterrupt"],
    ),
    "a misspelt attribute": (
        fence("x = 1", 'exce="on"'),
        ["01-page.md:1:1: a fence has no attribute 'exce'; it may have exec,"],
    ),
    "a misspelt value": (
        fence("x = 1", 'exec="yes"'),
        ['01-page.md:1:1: exec="yes" means nothing: write exec="on"'],
    ),
    "an unquoted attribute": (
        fence("x = 1", "exec=on"),
        ["01-page.md:1:1: cannot read the fence's attributes 'python exec=on'"],
    ),
    "Python that is not run": (
        "```python\nx = 1\n```\n",
        ['01-page.md:1:1: Python that is not run: write exec="on", or call it text'],
    ),
    "another language to run": (
        '```bash exec="on"\nls\n```\n',
        ["01-page.md:1:1: cannot run bash: only Python runs"],
    ),
    "code in a quotation": (
        '> Text.\n>\n> ```python exec="on"\n> x = 1\n> ```\n',
        ["01-page.md:3:1: code in a quotation does not run: put the fence outside of it"],
    ),
    "a fence that is never closed": (
        '```python exec="on"\nx = 1\n',
        ["01-page.md:1:1: the fence is never closed"],
    ),
    "a missing snippet": (
        fence('--8<-- "ch01/nothing.py"'),
        ["01-page.md:1:1: snippets/ch01/nothing.py does not exist"],
    ),
    "a missing section": (
        fence('--8<-- "whole.py:three"'),
        ["01-page.md:1:1: snippets/whole.py has no section 'three'; it has one, two"],
    ),
    "an include among other lines": (
        fence('x = 1\n--8<-- "whole.py"'),
        ["01-page.md:1:1: an include stands alone in its fence"],
    ),
    "a snippet without its output": (
        fence('--8<-- "silent.py"'),
        ["01-page.md:1:1: snippets/silent.out is missing"],
    ),
    "a snippet that is not UTF-8": (
        fence('--8<-- "latin.py"'),
        ["01-page.md:1:1: snippets/latin.py:2: is not UTF-8"],
    ),
    "an output that is not UTF-8": (
        fence('--8<-- "latin_out.py"'),
        ["01-page.md:1:1: snippets/latin_out.out:1: is not UTF-8"],
    ),
    "a snippet shown in part": (
        fence('--8<-- "whole.py:one"'),
        ["01-page.md:1:1: shows snippets/whole.py without its section two"],
    ),
    "a snippet that prints something else": (
        fence('--8<-- "stale.py"'),
        ["01-page.md:1:1: prints '1', snippets/stale.out:1 says '2'", "python snippets/stale.py"],
    ),
    "invalid LaTeX": (
        "The value $\\frac{1$ is odd.\n",
        ["01-page.md:1:12: math-core cannot read it"],
    ),
    "an undefined name": ("A factor of 3<!-- = gain -->.\n", ["01-page.md:1:14: = gain: no name"]),
    "a claim that raises": (
        fence("x = []") + "It is 3<!-- = x[0] -->.\n",
        ["01-page.md:4:8: = x[0]: IndexError"],
    ),
    "a claim that is not Python": ("It is 3<!-- = x[ -->.\n", ["'x[' is not a Python expression"]),
    "a claim that proves nothing": (
        fence("x = 1") + "Nothing here<!-- = x -->.\n",
        ["01-page.md:4:13: proves nothing"],
    ),
    "a claim that repeats its number": ("It is 3<!-- = 3 -->.\n", ["3 proves nothing: say where"]),
    "a claim that computes": (
        fence("x = 1") + "It is 8<!-- = x + x + x + x + x + x + x + x + x - x + x - x -->.\n",
        ["computes: name the value in the code"],
    ),
    "an unlabelled number": ("It has 8 heads.\n", ["01-page.md:1:8: 8 is neither computed"]),
    "an unknown source": ("It has 8<!-- @ nobody1999, table 1 --> heads.\n", ["no 'nobody1999'"]),
    "a figure that is not quoted": (
        "It has 8<!-- @ brown2020, table 2.1 --> heads.\n",
        ["01-page.md:1:8: page says 8, the bibliography quotes nothing from brown2020, table 2.1"],
    ),
    "a citation of nobody": ("As known[^nobody1999].\n", ["01-page.md:1:9: no note 'nobody1999'"]),
    "a chapter that is not in the book": ("See chapter 4.\n", ["1:5: chapter 4 does not exist"]),
    "a figure that is not on the page": ("See figure 1.2.\n", ["1:5: figure 1.2 does not exist"]),
    "figures that do not count up": (
        "/// figure-caption | 1.2\nA.\n///\n",
        ["01-page.md:1:22: figure 1.2 should be figure 1.1"],
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_gives_one_mark_at_its_place(snippets: Path, fault: str) -> None:
    text, wanted = FAULTS[fault]
    report = proved(snippets, text).report_all
    assert all(piece in report for piece in wanted), report
    assert report.count("01-page.md:1:1: ") <= 1, "one mark for one fault"
