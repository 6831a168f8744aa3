"""The check of one verb says what is wrong with it, and nothing of one that is right."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attnref.check import verbs

Function = Callable[..., Any]


def named(name: str, function: Function) -> Function:
    function.__name__ = name
    return function


def told(name: str, function: Function, capsys: pytest.CaptureFixture[str]) -> str:
    verbs.check(named(name, function))
    return " ".join(capsys.readouterr().out.split())


def softmax(scores: Any, **along: Any) -> Any:
    exponentials = np.exp(scores - scores.max(**along))
    return exponentials / exponentials.sum(**along)


WRONG: dict[str, tuple[str, Function, str]] = {
    "a transposed projection": ("project", lambda x, w: w @ x, "do not fit in a product"),
    "a projection and more": ("project", lambda x, w: x @ w + 1, "Its numbers are wrong"),
    "nothing yet": ("compare", lambda q, k: None, "It returns nothing. It should return the sco"),
    "an ellipsis": ("compare", lambda q, k: ..., "It returns nothing"),
    "keys that ask": ("compare", lambda q, k: k @ q.T, "shape (4, 3), not (3, 4)"),
    "no transpose": ("compare", lambda q, k: q @ k, "(3, 2) and (4, 2), it fails: these do not"),
    "a smaller product": ("compare", lambda q, k: q @ k.T / 9, "in no way that is known"),
    "no scale": ("scale", lambda s, d: s, "Scores are not scaled"),
    "the width itself": ("scale", lambda s, d: s / d, "Scores are divided by D"),
    "a fixed width": ("scale", lambda s, d: s / 8, "√64 whatever D is"),
    "multiplied": ("scale", lambda s, d: s * d**0.5, "Scores are multiplied by √D"),
    "another failure": ("scale", lambda s, d: s / {}[d], "it fails: KeyError: 2"),
    "a list": ("compare", lambda q, k: (q @ k.T).tolist(), "It returns a list"),
    "the other polarity": ("mask", lambda s, m: np.where(m, -np.inf, s), "the other way round"),
    "zeros": ("mask", lambda s, m: s * m, "get the score 0"),
    "an added mask": ("mask", lambda s, m: s + m, "hides nothing"),
    "a small number": ("mask", lambda s, m: np.where(m, s, -30), "a finite number"),
    "no mask": ("mask", lambda s, m: s, "The mask changes nothing"),
    "along queries": ("normalise", lambda s: softmax(s, axis=0), "Softmax goes over the queries"),
    "along everything": ("normalise", lambda s: softmax(s), "queries and keys together"),
    "no maximum": (
        "normalise",
        lambda s: np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True),
        "e^score overflows",
    ),
    "empty rows": (
        "normalise",
        lambda s: softmax(s, axis=-1, keepdims=True),
        "A query that sees no key gives NaN",
    ),
    "no division": ("normalise", lambda s: np.exp(s), "have to sum to 1"),
    "transposed weights": ("mix", lambda w, v: w.T @ v, "do not fit in a product"),
    "more than the values": ("mix", lambda w, v: w @ (2 * v), "weights don't sum to 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_told_in_words(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, function, words = WRONG[case]
    said = told(name, function, capsys)
    assert said.startswith(f"✗ {name} is not right yet.")
    assert words in said


@pytest.mark.parametrize("name", verbs.VERBS)
def test_a_right_verb_is_right(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(name, verbs.VERBS[name].right, capsys) == f"✓ {name} is right."


def test_another_convention_is_a_remark(capsys: pytest.CaptureFixture[str]) -> None:
    said = told("mask", lambda s, m: np.where(m, s, -1e9), capsys)
    assert said.startswith("✓ mask is right. Beside that: A query that sees no key gets the plain")


def test_another_dtype_is_a_remark(capsys: pytest.CaptureFixture[str]) -> None:
    said = told("scale", lambda s, d: s / np.sqrt(d), capsys)
    assert said.startswith("✓ scale is right. Beside that: The output has another dtype")


def test_what_is_said_speaks_numpy(capsys: pytest.CaptureFixture[str]) -> None:
    for name, function, _ in WRONG.values():
        said = told(name, function, capsys)
        assert not re.search(r"--|dim=|masked_fill|\(B, H", said), said


def test_a_check_does_not_warn_of_the_numbers_it_tries(recwarn: pytest.WarningsRecorder) -> None:
    verbs.check(named("normalise", lambda s: np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)))
    assert not recwarn.list


def test_what_is_no_verb_is_refused() -> None:
    with pytest.raises(ValueError, match="attend is none of the six verbs: project, compare, "):
        verbs.check(named("attend", lambda q: q))


def test_a_readers_own_function_goes_on_if_it_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    mine = named("mix", lambda weights, v: np.einsum("lsk,sd->ld", weights[..., None], v))
    assert verbs.unless_right(mine)(verbs.mix) is mine
    assert capsys.readouterr().out == "mix: yours is right, and goes on from here.\n"


def test_else_the_solution_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    mine = named("mix", lambda weights, v: v)
    assert verbs.unless_right(mine)(verbs.mix) is verbs.mix
    assert capsys.readouterr().out == "mix: this one goes on from here.\n"


def test_a_wrong_solution_is_never_taken() -> None:
    with pytest.raises(AssertionError, match="the solution is wrong"):
        verbs.unless_right(verbs.mix)(named("mix", lambda weights, v: v[:3]))
