"""Nothing runs twice, and nothing stale is shown: exactly the pages concerned run again."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from proofread.running import environment
from proofread.running.store import Store
from tests.proofread.conftest import fence
from tests.proofread.shelf import Prove, book, entries, output, prove, ran

__all__ = ["book", "prove"]  # fixtures


def test_what_has_run_does_not_run_again(prove: Prove, monkeypatch: pytest.MonkeyPatch) -> None:
    first = prove()
    assert ran(first) == ["01", "02", "03", "04", "05"]
    monkeypatch.setattr("proofread.proof.CREW", None)  # nobody is there to run anything
    again = prove()
    assert ran(again) == []
    assert [output(p) for p in again.values()] == [output(p) for p in first.values()]
    assert not any(proof.findings for proof in again.values())


def test_a_run_that_is_remembered_imports_nothing_of_the_book(book: Path, prove: Prove) -> None:
    prove()
    code = (
        "import sys\nfrom pathlib import Path\nfrom proofread.cli import app\n"
        f"app(['check', '--all', '--root', {str(book)!r}], standalone_mode=False)\n"
        "print(sorted({'torch', 'numpy', 'helper', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


EDITS = {
    "a block": ("02-page.md", "print(y + 1)", "print(y + 2)", ["02"], {"02": "3\n"}),
    "an earlier block": ("02-page.md", "y = 1", "y = 4 - 3", ["02"], {"02": "2\n"}),
    "an imported module": ("helper.py", "deeper.x", "deeper.x + 1", ["01"], {"01": "4\n"}),
    "a module that it imports": ("deeper.py", "3", "33", ["01"], {"01": "33\n"}),
    "a data file that is opened": ("data.txt", "data", "other", ["03"], {"03": "other\n"}),
    "a section that two pages show": (
        "snippets/shared.py", "print('two')", "print('two ' * 1)", ["04", "05"],
        {"04": "one\ntwo \n", "05": "one\ntwo \n"},
    ),
    "prose": ("02-page.md", "It is", "It must be", [], {"02": "2\n"}),
    "prose before a block": ("05-page.md", "Again.", "Again,\n\nand again.", [], {}),
    "a claim that asks something new": ("02-page.md", "= y --", "= y * 1 --", ["02"], {}),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_runs_the_pages_concerned_and_no_other(book: Path, prove: Prove, edit: str) -> None:
    name, old, new, wanted, outputs = EDITS[edit]
    prove()
    text = (book / name).read_text()
    assert old in text
    (book / name).write_text(text.replace(old, new))
    proofs = prove()
    assert ran(proofs) == wanted
    for page, printed in outputs.items():
        assert output(proofs[page]) == printed
    assert ran(prove()) == []


def test_a_file_that_appears_where_one_was_sought_runs_its_page(book: Path, prove: Prove) -> None:
    (book / "03-page.md").write_text(fence("import os\nprint(os.path.exists('maybe.txt'))"))
    assert output(prove()["03"]) == "False\n"
    (book / "maybe.txt").write_text("")
    proofs = prove()
    assert ran(proofs) == ["03"]
    assert output(proofs["03"]) == "True\n"


def test_a_file_that_joins_a_listed_folder_runs_its_page(book: Path, prove: Prove) -> None:
    (book / "03-page.md").write_text(
        fence("from pathlib import Path\nprint(len([*Path('snippets').iterdir()]))")
    )
    assert output(prove()["03"]) == "2\n"
    (book / "snippets/new.py").write_text("")
    assert output(prove()["03"]) == "3\n"


def test_a_program_that_starts_another_depends_on_every_file(book: Path, prove: Prove) -> None:
    code = "import subprocess, sys\nsubprocess.run([sys.executable, 'script.py'])"
    (book / "03-page.md").write_text(fence(code))
    (book / "script.py").write_text("print(1)")
    assert output(prove()["03"]) == "1\n"
    assert ran(prove()) == []
    (book / "script.py").write_text("print(2)")
    assert output(prove()["03"]) == "2\n"


def test_another_version_of_a_used_package_runs_its_pages(
    book: Path, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    (book / "03-page.md").write_text(fence("import numpy\nprint(1)"))
    prove()
    real = environment.version
    monkeypatch.setattr(environment, "version", lambda name: real(name).replace("2", "3", 1))
    assert ran(prove()) == ["03"]


def test_another_environment_runs_everything(book: Path, prove: Prove) -> None:
    prove()
    other = replace(environment.current(), python="CPython 3.99.0")
    kept = Store(book / ".cache/proofread", book, where=other)
    assert ran(prove(None, kept)) == ["01", "02", "03", "04", "05"]


def test_a_failure_is_not_remembered(book: Path, prove: Prove) -> None:
    (book / "03-page.md").write_text(fence("print(open('missing.txt').read())"))
    assert "FileNotFoundError" in prove()["03"].report_all
    assert "FileNotFoundError" in prove()["03"].report_all
    assert ran(prove()) == ["03"]
    (book / "missing.txt").write_text("found")
    assert output(prove()["03"]) == "found\n"


def test_without_a_store_everything_runs(
    book: Path, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFREAD_STORE", "off")
    assert len(ran(prove())) == len(ran(prove())) == 5
    assert not (book / ".cache").exists()


def test_output_that_differs_from_run_to_run_is_a_fault(book: Path, prove: Prove) -> None:
    first, second = "import time\nprint(time.time_ns())", "print(1)"
    (book / "03-page.md").write_text(fence(first) + fence(second))
    assert not prove()["03"].findings
    (book / "03-page.md").write_text(fence(first) + fence("print(2)"))
    report = prove()["03"].report_all
    assert report.startswith("03-page.md:1:1: 03-page.md:2: prints something else than in the run")
    assert ran(prove()) == ["03"], "nothing of it is kept"


def test_a_value_that_differs_from_run_to_run_is_a_fault(book: Path, prove: Prove) -> None:
    code = "import random\nx = random.random()"
    claim = "\nIt is below {}<!-- = round(x / x) -->, see 0.5<!-- = x --> above.\n\n"
    (book / "03-page.md").write_text(fence(code) + claim.format(1) + fence("print(1)"))
    prove()
    (book / "03-page.md").write_text(fence(code) + claim.format(1) + fence("print(2)"))
    assert "x is not what it was in the run before: seed" in prove()["03"].report_all


def test_a_file_that_changes_while_a_page_runs_is_not_trusted(book: Path, prove: Prove) -> None:
    (book / "03-page.md").write_text(
        fence("import subprocess, helper\nsubprocess.run(['sh', '-c', 'echo >> helper.py'])")
    )
    prove()
    assert "03" in ran(prove())


def test_an_entry_says_where_and_when_it_was_made(book: Path, prove: Prove) -> None:
    prove()
    told = json.loads(entries(book)[0].read_text().partition("\n")[2])
    assert told["python"].startswith("CPython 3.")
    assert told["date"].startswith("20")
