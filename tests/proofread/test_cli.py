from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from proofread.cli import app
from tests.proofread.conftest import CODE


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
