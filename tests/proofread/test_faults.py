"""What stops a page: each fault gives one readable mark, at its place, and nothing is run twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofread.proof import Proof, prove, prove_all
from proofread.settings import load


def proved(book: Path, text: str, name: str = "01-page.md") -> Proof:
    (book / name).write_text(text)
    return prove(book / name, load(book))


def fence(code: str, attributes: str = 'exec="on"') -> str:
    return f"```python {attributes}\n{code}\n```\n"


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
        ["01-page.md:1:1: its program ended its own process with status 3"],
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


@pytest.fixture
def snippets(book: Path) -> Path:
    """A few snippets with and without faults."""
    marked = "# --8<-- [start:one]\nx = 1\n# --8<-- [end:one]\n# --8<-- [start:two]\ny = 2\n"
    files = {
        "whole.py": marked + "# --8<-- [end:two]\n",
        "whole.out": "",
        "silent.py": "x = 1\n",
        "stale.py": "print(1)\n",
        "stale.out": "2\n",
        "noisy.py": "import helper\nhelper.speak()\n",
        "noisy.out": "spoken\n",
    }
    for name, text in files.items():
        (book / "snippets" / name).write_text(text)
    return book


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_gives_one_mark_at_its_place(snippets: Path, fault: str) -> None:
    text, wanted = FAULTS[fault]
    report = proved(snippets, text).report_all
    assert all(piece in report for piece in wanted), report
    assert report.count("01-page.md:1:1: ") <= 1, "one mark for one fault"


def test_a_traceback_shows_the_blocks_own_frames_and_no_others(book: Path) -> None:
    report = proved(book, fence("def f():\n    raise ValueError('no')\nf()")).report_all
    frames = [line.strip() for line in report.splitlines() if line.strip().startswith("File")]
    assert frames == ['File "01-page.md", line 4, in <module>', 'File "01-page.md", line 3, in f']


def test_an_error_in_a_snippet_names_the_snippets_line(snippets: Path) -> None:
    (snippets / "snippets/bad.py").write_text("x = 1\n\nraise ValueError('no')\n")
    (snippets / "snippets/bad.out").write_text("")
    report = proved(snippets, "Text.\n\n" + fence('--8<-- "bad.py"')).report_all
    assert report.startswith("01-page.md:3:1: snippets/bad.py:3: ValueError: no\n")


def test_a_program_that_never_ends_is_stopped(book: Path) -> None:
    settings = (book / "pyproject.toml").read_text().replace("timeout = 20", "timeout = 1")
    (book / "pyproject.toml").write_text(settings)
    assert "ran longer than 1 s" in proved(book, fence("while True:\n    pass")).report_all


def test_everything_written_to_stdout_is_the_output(book: Path) -> None:
    code = (
        "import os, subprocess, sys\nprint('print')\nsys.stdout.write('write\\n')\n"
        "sys.stdout.flush()\nos.write(1, b'descriptor\\n')\nsubprocess.run(['echo', 'child'])"
    )
    proof = proved(book, fence(code))
    assert proof.outcome.outputs == ["print\nwrite\ndescriptor\nchild\n"]


def test_a_module_that_prints_is_heard(book: Path) -> None:
    (book / "helper.py").write_text("def speak():\n    print('spoken')\n")
    proof = proved(book, fence("import helper\nhelper.speak()"))
    assert proof.outcome.outputs == ["spoken\n"]


def test_nothing_leaks_from_page_to_page(book: Path) -> None:
    for name, code in (("01-a.md", "leak = 1\nimport json\njson.leak = 1"), ("02-b.md", "x = 1")):
        (book / name).write_text(fence(code))
    (book / "02-b.md").write_text(
        fence("import json\nfound = hasattr(json, 'leak') or 'leak' in globals()\nprint(found)")
    )
    first, second = prove_all([book / "01-a.md", book / "02-b.md"], load(book))
    assert not first.findings
    assert second.outcome.outputs == ["False\n"]


def test_a_module_changed_between_two_runs_is_seen(book: Path) -> None:
    text = fence("import helper") + "It is 3<!-- = helper.x -->.\n"
    (book / "helper.py").write_text("x = 3\n")
    assert not proved(book, text).findings
    (book / "helper.py").write_text("x = 4  # longer\n")
    assert "page says 3, code says 4" in proved(book, text).report_all


def test_claims_before_a_failing_block_are_still_judged(book: Path) -> None:
    report = proved(book, fence("x = 1") + "\n2<!-- = x -->\n\n" + fence("y")).report_all
    assert "page says 2, code says 1" in report
    assert "NameError" in report


def test_a_page_without_code_runs_nothing(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere")
    assert not proved(book, "Just text[^brown2020].\n").findings


def test_a_block_that_cannot_run_on_this_system_shows_its_recorded_output(snippets: Path) -> None:
    settings = (snippets / "pyproject.toml").read_text() + 'recorded = ["nowhere"]\n'
    (snippets / "pyproject.toml").write_text(settings)
    (snippets / "snippets/far.py").write_text("import nowhere\nx = 3\nprint(x)\n")
    (snippets / "snippets/far.out").write_text("3\n")
    text = fence('--8<-- "far.py"') + "\nIt is 3<!-- = x -->, and 4<!-- = y -->.\n"
    proof = proved(snippets, text)
    assert proof.outcome.outputs == ["3\n"]
    assert proof.outcome.devices == ["recorded"]
    assert [f.message for f in proof.findings] == ["= y: no name 'y' on this page"]


def test_a_block_is_labelled_by_the_package_that_does_its_work(book: Path) -> None:
    settings = (book / "pyproject.toml").read_text() + 'devices = { far = "DEVICE" }\n'
    (book / "pyproject.toml").write_text(settings)
    (book / "far.py").write_text("DEVICE = 'a far card'\ndef work(): return 1\n")
    proof = proved(book, fence("from far import work\nwork()") + "\n" + fence("y = 1"))
    assert proof.outcome.devices == ["a far card", ""]


def test_text_after_a_fault_in_a_fence_keeps_its_line_numbers(book: Path) -> None:
    text = "---\ntitle: X\n---\n\n" + fence("x = 1") + "\nIt is 2<!-- = x -->.\n"
    assert proved(book, text).report_all.startswith("01-page.md:9:7: page says 2, code says 1")


def test_suggestions_come_where_a_block_cannot_run_too(snippets: Path) -> None:
    settings = (snippets / "pyproject.toml").read_text() + 'recorded = ["nowhere"]\n'
    (snippets / "pyproject.toml").write_text(settings)
    (snippets / "snippets/far.py").write_text("import nowhere\n")
    (snippets / "snippets/far.out").write_text("")
    text = fence("gain = 213.08") + "\n" + fence('--8<-- "far.py"') + "\nA factor of 213.1.\n"
    assert "perhaps <!-- = gain -->" in proved(snippets, text).report_all
