from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from proofread.cli import app
from tests.proofread.conftest import CODE, fence


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


CASES = {
    "0.2484<!-- = w[0] -->": "0.2483<!-- = w[0] -->",
    "?<!-- = heads -->": "8<!-- = heads -->",
    "?<!-- = w[0] -->": "0.2483<!-- = w[0] -->",
    "?.??%<!-- = w[0] -->": "24.83%<!-- = w[0] -->",
    "1,234<!-- = n_bytes -->": "4,294,967,296<!-- = n_bytes -->",
    "0.3<!-- = -A[1, 0] -->": "−0.3<!-- = -A[1, 0] -->",
    "3 GiB<!-- = n_bytes -->": "4 GiB<!-- = n_bytes -->",
    "2e-6<!-- = tol -->": "1e-6<!-- = tol -->",
    "$a \\approx 4.1 \\times 10^8$<!-- = n_bytes -->": "$a \\approx 4.3 \\times 10^9$<!-- = n_bytes -->",
    "$1{,}000 = n$<!-- = n_bytes -->": "$4{,}294{,}967{,}296 = n$<!-- = n_bytes -->",
    "[0.1, 0.2, 0.3]<!-- = w -->": "[0.2, 0.2, 0.5]<!-- = w -->",
    "$2 - 5 = -4$<!-- = -->": "$2 - 5 = -3$<!-- = -->",
    "$2 - 5 = 4$<!-- = -->": "$2 - 5 = -3$<!-- = -->",
}


@pytest.mark.parametrize("before", CASES)
def test_fix_writes_what_code_says(before: str, book: Path) -> None:
    page = book / "01-page.md"
    page.write_text(CODE + before + "\n")
    assert call("fix", "--root", book, page).exit_code == 0
    assert page.read_text() == CODE + CASES[before] + "\n"
    assert call("check", "--root", book, page).exit_code == 0


def test_fix_leaves_cited_numbers_alone(book: Path) -> None:
    page = book / "01-page.md"
    page.write_text("It has 96<!-- @ brown2020, table 2.1 --> layers.\n")
    assert call("fix", "--root", book).exit_code == 1
    assert "96<!--" in page.read_text()


def test_check_names_the_place_both_numbers_and_the_remedy(book: Path) -> None:
    (book / "01-page.md").write_text(CODE + "The weight is\n0.2484<!-- = w[0] -->.\n")
    done = call("check", "--root", book)
    assert done.exit_code == 1
    line = CODE.count("\n") + 2
    told = f"01-page.md:{line}:1: page says 0.2484, code says 0.2483 (w[0] = 0.2482551)\n"
    assert done.stdout == told + "    proofread fix 01-page.md  # 0.2484 -> 0.2483\n"


def test_check_suggests_what_an_unlabelled_number_may_be(book: Path) -> None:
    (book / "01-page.md").write_text(CODE + "A factor of 213.1.\n")
    assert "perhaps <!-- = gain -->" in call("check", "--root", book).stdout


def test_list_tells_every_number_its_place_kind_expression_and_value(book: Path) -> None:
    page = book / "01-page.md"
    page.write_text(CODE + "In chapter 1, 0.25<!-- = w[0] --> and 9.\n")
    done = call("list", "--json", "--root", book, page)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["kind"] for row in rows] == ["structural", "computed", "unlabelled"]
    assert rows[1] == {
        "file": "01-page.md", "line": CODE.count("\n") + 1, "column": 15, "literal": "0.25",
        "kind": "computed", "expression": "= w[0]", "value": "0.2482551",
    }  # fmt: skip


@pytest.mark.parametrize("arguments", [("check", "no.md"), ("check", "--root", "nowhere")])
def test_a_wrong_call_is_told_from_a_wrong_page(arguments: tuple[str, ...]) -> None:
    assert call(*arguments).exit_code == 2


def test_check_without_arguments_looks_at_what_changed_since_it_was_clean(book: Path) -> None:
    (book / "helper.py").write_text("x = 1\n")
    (book / "01-page.md").write_text(fence("import helper") + "\nIt is 1<!-- = helper.x -->.\n")
    (book / "02-page.md").write_text(fence("y = 2") + "\nIt is 2<!-- = y -->.\n")
    (book / "03-page.md").write_text("It has 8 heads.\n")

    def looked_at() -> list[str]:
        done = call("check", "--root", book)
        return [line.partition(":")[0] for line in done.stderr.splitlines() if ": " in line]

    assert looked_at() == ["01-page.md", "02-page.md", "03-page.md"]
    assert looked_at() == ["03-page.md"], "a page with a fault is told again"
    (book / "03-page.md").write_text("It has heads.\n")
    assert looked_at() == ["03-page.md"]
    assert looked_at() == []
    (book / "helper.py").write_text("x = 1  # the same\n")
    assert looked_at() == ["01-page.md"]
    (book / "b.toml").write_text('[other2020]\ntitle = "X"\n')
    assert looked_at() == ["01-page.md", "02-page.md", "03-page.md"], "another bibliography"
    assert looked_at() == []
    done = call("check", "--all", "--root", book)
    assert done.stderr.count("no numbers") + done.stderr.count("computed") == 3


def test_check_tells_programs_what_it_tells_people(book: Path) -> None:
    (book / "01-page.md").write_text(CODE + "It is 0.2484<!-- = w[0] -->, a factor of 213.1.\n")
    done = call("check", "--json", "--root", book)
    first, second = [json.loads(line) for line in done.stdout.splitlines()]
    assert first == {
        "file": "01-page.md", "line": CODE.count("\n") + 1, "column": 7, "rule": "stale",
        "message": "page says 0.2484, code says 0.2483 (w[0] = 0.2482551)",
        "fix": {"old": "0.2484", "new": "0.2483"}, "perhaps": [],
    }  # fmt: skip
    assert (second["rule"], second["perhaps"]) == ("unlabelled", ["gain"])
    assert done.exit_code == 1


def test_fix_shows_what_it_changes_and_can_only_show_it(book: Path) -> None:
    page = book / "01-page.md"
    before = CODE + "It is 0.2484<!-- = w[0] -->.\n"
    page.write_text(before)
    done = call("fix", "--dry-run", "--root", book, page)
    assert "-It is 0.2484<!-- = w[0] -->.\n+It is 0.2483<!-- = w[0] -->.\n" in done.stdout
    assert page.read_text() == before
    assert call("fix", "--root", book, page).stdout == done.stdout
    assert page.read_text() == before.replace("0.2484", "0.2483")
    assert call("fix", "--root", book, page).stdout == ""


def test_fix_keeps_the_ends_of_lines(book: Path) -> None:
    page = book / "01-page.md"
    page.write_bytes((CODE + "It is 0.2484<!-- = w[0] -->.\n").replace("\n", "\r\n").encode())
    call("fix", "--root", book, page)
    assert page.read_bytes().count(b"\r\n") == page.read_bytes().count(b"\n")
    assert b"0.2483<!--" in page.read_bytes()


def test_run_shows_what_blocks_print_and_what_claims_come_to(book: Path) -> None:
    page = book / "01-page.md"
    code = "import sys\nprint('two')\nprint('careful', file=sys.stderr)\nx = 1 / 3"
    page.write_text(fence("y = 1") + fence(code) + "\nIt is 0.333<!-- = x -->.\n")
    for _ in range(2):  # afresh, each time
        done = call("run", "--root", book, page)
        assert done.exit_code == 0
        first, second, *rest = done.stdout.splitlines()
        assert first == "block 1 · 01-page.md:1"
        assert second == "block 2 · 01-page.md:4"
        assert rest == ["    two", "    careful", "  line 11: 0.333  = x  0.3333333333"]


EXPLAINED = {
    "It is 0.2483<!-- = w[0] -->.": [
        "0.2483<!-- = w[0] -->",
        "proves the number it touches",
        "its names come from block 1, 01-page.md:2",
        "0.2483: w[0] = 0.2482551 (float64), compared to the nearest 0.0001: agrees",
    ],
    "It is 0.2484<!-- = w[0] -->.": ["compared to the nearest 0.0001: differs"],
    "It has 8<!-- = heads --> heads.": ["8: heads = 8 (int), compared exactly: agrees"],
    "A 4 GiB<!-- = n_bytes --> cache.": ["4 GiB: n_bytes = 4294967296 (int), compared exactly"],
    "It is $1 + 1 = 2$<!-- = -->.": ["the formula it touches", "its sides come to 2 | 2"],
    "In chapter 1.": ["1 is structural (reference): it names a part of the book, which exists."],
    "A factor of 213.1.": ["213.1 is neither computed, cited nor", "Perhaps it is gain."],
    "Not 8<!-- = nothing -->.": ["no name 'nothing' on this page"],
    "It is 3<!-- = 3 -->.": ["3 proves nothing"],
    "It has 96<!-- @ brown2020, table 2.1 --> layers.": ["quotes it from brown2020, table 2.1"],
}


@pytest.mark.parametrize("text", EXPLAINED)
def test_explain_says_what_proves_a_number_and_how(book: Path, text: str) -> None:
    page = book / "01-page.md"
    page.write_text(CODE + text + "\n")
    done = call("explain", "--root", book, f"{page}:{CODE.count(chr(10)) + 1}")
    assert done.exit_code == 0
    for piece in EXPLAINED[text]:
        assert piece in done.stdout


@pytest.mark.parametrize("place", ["01-page.md", "01-page.md:x", "01-page.md:1", "no.md:1"])
def test_explain_needs_a_place_with_a_number(book: Path, place: str) -> None:
    (book / "01-page.md").write_text("No number.\n")
    file, *rest = place.split(":")
    assert call("explain", "--root", book, ":".join([str(book / file), *rest])).exit_code == 2


@pytest.mark.parametrize("command", ["check", "list", "fix", "run", "explain"])
def test_every_command_explains_itself(command: str) -> None:
    done = call(command, "--help")
    assert done.exit_code == 0
    assert len(done.stdout) > 200


def test_colours_are_for_terminals_that_want_them(book: Path) -> None:
    (book / "01-page.md").write_text("It has 8 heads.\n")
    command = [sys.executable, "-m", "proofread", "check", "--root", str(book)]
    plain = subprocess.run(command, capture_output=True, text=True)
    assert plain.returncode == 1
    assert "\x1b" not in plain.stdout

    def on_terminal(**environment: str) -> str:
        ours, theirs = pty.openpty()
        subprocess.run(command, stdout=theirs, stderr=theirs, env=os.environ | environment)
        os.close(theirs)
        told = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while data := os.read(ours, 1024):
                told += data
        os.close(ours)
        return told.decode()

    assert "\x1b[1m01-page.md:1:8\x1b[0m" in on_terminal()
    assert "\x1b[1m" not in on_terminal(NO_COLOR="1")


def test_shares_are_all_pages_and_none_twice(book: Path) -> None:
    for number in range(5):
        (book / f"0{number}-page.md").write_text(CODE + f"A page, {number}.\n".replace("0", "zero"))
    told = [call("run", "--root", book, "--shard", f"{n}/3") for n in (1, 2, 3)]
    ran = [
        line.partition(":")[0] for one in told for line in one.stderr.splitlines() if ": " in line
    ]
    assert sorted(ran) == [f"0{number}-page.md" for number in range(5)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name a page, or a share"),
        (("--shard", "3/2"), "--shard 3/2 is no share"),
        (("--shard", "0/2"), "--shard 0/2 is no share"),
        (("--shard", "two"), "--shard two is no share"),
    ],
)
def test_what_is_no_share_is_refused(book: Path, arguments: tuple[str, ...], told: str) -> None:
    done = call("run", "--root", book, *arguments)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.replace("│", " ").split())
