from __future__ import annotations

import pytest

from proofread.reading.subscripts import below_one
from tests.proofread.conftest import Marks

GOOD = [
    ("q_i", "Q[i-1]", (1,)), ("a_{ij}", "A[i-1][j-1]", (1, 3)), ("a_{ij}", "A[i-1, j-1]", (1, 1)),
    ("x_i", "X[i]", (0,)), ("d_k", "D", ()), ("w", "w[-1]", ()), ("w_i", "w[:i]", (0,)),
    ("w_i", "w[-1] + i - 1", (0,)), ("q_i", "Q[n - 1]", (0,)),
]  # fmt: skip


@pytest.mark.parametrize(("symbol", "expression", "index"), GOOD)
def test_indices_from_one_up_pass(symbol: str, expression: str, index: tuple[int, ...]) -> None:
    assert below_one(symbol, expression, index) == ""


BAD = [
    ("q_i", "Q[i-1]", (0,), "q_i with i = 0 would be index -1 of Q[i-1]"),
    ("a_{ij}", "A[i-1][j-1]", (1, 0), "a_{ij} with j = 0 would be index -1"),
    ("a_{ij}", "A[i-1, j-1]", (0, 2), "a_{ij} with i = 0"),
    ("w_i", "w[:i-1]", (0,), "w_i with i = 0"),
    ("a_{ij}", "A[i-j]", (1, 2), "with i = 1, j = 2 would be index -1"),
]


@pytest.mark.parametrize(("symbol", "expression", "index", "told"), BAD)
def test_an_index_below_zero_names_the_symbol_and_the_rule(
    symbol: str, expression: str, index: tuple[int, ...], told: str
) -> None:
    said = below_one(symbol, expression, index)
    assert told in said
    assert "formulas count from 1" in said


def test_a_formula_with_subscript_zero_does_not_wrap_to_the_last_row(marks: Marks) -> None:
    text = "<!-- let q_i = k[i-1] -->\n\n$q_0 = [1, 1]$<!-- = -->"
    assert any("formulas count from 1" in mark for mark in marks(text))
