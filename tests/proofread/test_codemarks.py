"""A code mark with a value in it needs a claim, unless it quotes the page's own code."""

from __future__ import annotations

import pytest

from tests.proofread.conftest import Kinds, Marks

FREE = [
    "`fp16` and `sm_90` and `H100` and `k_3`",
    "`q[..., :64]` and `A[12, 3]` and `w[-1]` and `f(x)[64]`",
    "`softmax(x, dim=-1)` and `x.sum(0)` and `2 * d` and `1 - a`",
    "`half, single = 0.125, np.float32(0.25005)`",  # stands in the page's code
    "`n_bytes, gain, theta, heads, tol = 4*2**30, 213.08, math.pi/6, 8, 1e-6`",
    "`np.float32(0.25005)` and `4 * 2**30`",
    "`python snippets/ch07/x.py 64` and `make test` and `pip install numpy==2.1`",
    "`07-worked-example.md` and `docs/x64.json` and `2.13.0` and `numpy>=2.1.3`",
]


@pytest.mark.parametrize("text", FREE)
def test_names_subscripts_quotations_and_files_need_no_claim(kinds: Kinds, text: str) -> None:
    assert all(kind == "structural" for _, kind in kinds(text)), kinds(text)


LOOSE = [
    "`window=4`", "`f(q, k, window=4)`", "`x.shape == (3, 2)`", "`2**20`", "`64k`", "`0xff`",
    "`d_k = 2`", "`H = 8`", "`0.2483`", "`[64, 128]`", "`(1, 8)`", "`max(64, 0)`", "`x - 5`",
    "`np.float32(0.25)`", "`np.float32(0.250055)`", "`4 * 2**31`", "`x[0] + 64`", "`a >= 0.5`",
]  # fmt: skip


@pytest.mark.parametrize("text", LOOSE)
def test_a_value_in_a_code_mark_needs_a_claim(kinds: Kinds, text: str) -> None:
    assert "unlabelled" in [kind for _, kind in kinds(text)]


PROVEN = [
    '`heads=8`<!-- = f"heads={heads}" -->',
    "`heads=8`<!-- = heads -->",
    "`k.shape == (3, 2)`<!-- = k.shape -->",
    "`split(x, 8)`<!-- = heads -->",
    "`f(8, 1)`<!-- = heads, A[0, 0] -->",
    '`float64`<!-- = w.dtype -->, `k 8`<!-- = "k " + str(heads) -->',
]


@pytest.mark.parametrize("text", PROVEN)
def test_a_claim_gives_its_text_or_its_numbers(marks: Marks, text: str) -> None:
    assert marks(text) == []


@pytest.mark.parametrize("text", PROVEN)
def test_a_wrong_number_in_a_claimed_mark_is_noticed(marks: Marks, text: str) -> None:
    assert marks(text.replace("8", "9", 1).replace("3, 2", "3, 3").replace("64", "32"))


def test_a_quotation_is_refused_once_the_code_changes(kinds: Kinds) -> None:
    assert kinds("`half = 0.125`") == [("0.125", "unlabelled")]
    assert kinds("`np.float32(0.25005)`") == [("32", "structural"), ("0.25005", "structural")]
