"""A claim that only says its number again is refused, however it wraps it."""

from __future__ import annotations

import pytest

from tests.proofread.conftest import Marks

REFUSED = [
    "0.2483<!-- = 0.2483 -->",
    "0.2483<!-- = round(0.2483, 4) -->",
    "0.2483<!-- = 0.2483 * 1 -->",
    "0.2483<!-- = 0.2483 + 0 * w[0] -->",
    '0.2483<!-- = float("0.2483") -->',
    "−3<!-- = -3 -->",
    "8 heads<!-- = 8 -->",
    "8<!-- = max(8, 2) --> heads",
    "8<!-- = heads * 0 + 8 --> heads",
    "4 GiB<!-- = 4 * 2**30 -->",
    "three<!-- = 3 --> heads",
    "$a = 64$<!-- = 8 * 8 + 64 - 64 -->",
    "2<!-- = 1 * 2 --> heads",
    "8, 0.2483 and 5<!-- = heads, w[0], 5 + 0 -->",
]
ALLOWED = [
    "0.2483<!-- = w[0] -->",
    "8<!-- = heads -->",
    "8<!-- = 2**3 -->",
    "0.5<!-- = 1 / 2 -->",
    "1.4142<!-- = math.sqrt(2) -->",
    "1<!-- = sum(q) / 2 -->",
    "1<!-- = 1 * q[0] -->",
    "0.3302<!-- = A[1, 0] -->",
    "[0.3302, 0.6698]<!-- = A[1] -->",
    "0.5035<!-- = w[2] -->",
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_claim_that_repeats_its_number_is_refused(marks: Marks, text: str) -> None:
    found = marks(f"It is {text}.")
    assert any("say where the number comes from" in mark or "error" in mark for mark in found), (
        found
    )


@pytest.mark.parametrize("text", ALLOWED)
def test_a_claim_that_computes_its_number_is_not(marks: Marks, text: str) -> None:
    assert marks(f"It is {text}.") == []
