"""kernels.attention against attnref in float64, by the rule in judge.py."""

from collections.abc import Callable
from math import inf, log

import pytest
import torch
from numpy.testing import assert_array_equal

import attnref
import kernels
from tests.kernels.cases import DTYPES, EMPTY, GROUPS, HEADS, Case, lengths
from tests.kernels.judge import DEVICE, assert_as_good_as_torch, draw

CASES = lengths(256, 127, 509) | HEADS | GROUPS
SMALL = lengths(32, 37, 89) | {"grouped": Case(19, 37, 6, 2, B=2)}

interpreted = pytest.mark.skipif(not kernels.INTERPRETED, reason="tiles are fixed on a GPU")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_kernel_errs_no_more_than_torch(case: Case, causal: bool, dtype: str) -> None:
    assert_as_good_as_torch(*draw(*case.shapes, dtype=dtype), causal=causal)


@interpreted
@pytest.mark.parametrize("tile", [(32, 16), (16, 32)], ids=["32×16", "16×32"])
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("case", SMALL.values(), ids=SMALL)
def test_the_tile_changes_nothing(
    set_tile: Callable[[int, int], None], case: Case, causal: bool, tile: tuple[int, int]
) -> None:
    set_tile(*tile)
    assert_as_good_as_torch(*draw(*case.shapes), causal=causal)


@pytest.mark.parametrize("scale", [0, 1, 0.3, -2.0, 100.0])
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
def test_any_scale_will_do(causal: bool, scale: float) -> None:
    assert_as_good_as_torch(*draw(*Case(20, 33, 2).shapes), causal=causal, scale=scale)


@pytest.mark.parametrize("rising", [1, -1], ids=["rising", "falling"])
def test_scores_that_rise_from_tile_to_tile_fade_what_came_before(
    set_tile: Callable[[int, int], None], rising: int
) -> None:
    set_tile(16, 16)
    q, k, v = draw((1, 5, 16), (1, 90, 16), (1, 90, 16))
    q = q.abs()
    k = k.abs() * torch.linspace(-2, 2, 90, device=DEVICE)[:, None] * rising
    assert_as_good_as_torch(q, k, v)


@pytest.mark.parametrize("shift", [-1e4, 1e4])
def test_large_scores_neither_overflow_nor_vanish(shift: float) -> None:
    q, k, v = draw((1, 5, 16), (1, 40, 16), (1, 40, 16))
    q[..., 0] = 1.0
    k[..., 0] = shift  # is added to every score
    out, lse = kernels.attention(q, k, v, scale=1.0, return_lse=True)
    true, true_lse = attnref.attention(
        q.double(), k.double(), v.double(), scale=1.0, return_lse=True
    )
    torch.testing.assert_close(out.double(), true, rtol=0, atol=0.01)  # scores have 2⁻¹⁰ left
    torch.testing.assert_close(lse.double(), true_lse, rtol=1e-6, atol=0)


def test_the_lse_is_a_natural_logarithm() -> None:
    q = torch.zeros(1, 1, 16, device=DEVICE)
    k = torch.zeros(1, 10, 16, device=DEVICE)
    _, lse = kernels.attention(q, k, k, return_lse=True)
    assert f"{float(lse[0, 0]):.6f}" == f"{log(10):.6f}"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("S", [0, 1, 300])
def test_masked_rows_give_zeros_not_nan(S: int, dtype: str) -> None:
    q, k, v = draw((2, 310, 16), (2, S, 16), (2, S, 16), dtype=dtype)
    out, lse = kernels.attention(q, k, v, causal=True, return_lse=True)
    assert_array_equal(out[:, : 310 - S].cpu().float(), torch.zeros(2, 310 - S, 16))
    assert_array_equal(lse[:, : 310 - S].cpu(), torch.full((2, 310 - S), -inf))
    assert bool(torch.isfinite(out).all())
    assert bool(torch.isfinite(lse[:, 310 - S :]).all())


@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("case", EMPTY.values(), ids=EMPTY)
def test_empty_axes_mean_what_they_mean_in_attnref(case: Case, causal: bool) -> None:
    assert_as_good_as_torch(*draw(*case.shapes), causal=causal)


def test_the_last_query_stands_at_the_last_key() -> None:
    q, k = torch.zeros(3, 16, device=DEVICE), torch.zeros(8, 16, device=DEVICE)
    v = torch.eye(8, device=DEVICE)
    sees = kernels.attention(q, k, v, causal=True) > 0
    assert_array_equal(sees.sum(-1).cpu(), [6, 7, 8])


def test_key_head_h_over_g_serves_query_head_h() -> None:
    q, k = torch.zeros(6, 1, 16, device=DEVICE), torch.zeros(2, 1, 16, device=DEVICE)
    v = torch.arange(2.0, device=DEVICE)[:, None, None]
    assert_array_equal(kernels.attention(q, k, v)[:, 0, 0].cpu(), [0, 0, 0, 1, 1, 1])


@pytest.mark.filterwarnings("ignore:All-NaN:RuntimeWarning")  # NumPy, in the interpreter
@pytest.mark.parametrize("where", [0, 1, 2], ids=["q", "k", "v"])
def test_a_nan_comes_out_where_it_comes_out_of_attnref(where: int) -> None:
    inputs = draw(*Case(5, 7, 2, 2).shapes)
    inputs[where][0, 1, 3, 2] = torch.nan
    assert_as_good_as_torch(*inputs)


def test_the_worked_example_of_chapter_7_comes_out_to_four_digits() -> None:
    q = k = torch.tensor([[1.0, 0], [0, 1], [1, 1]], device=DEVICE)
    v = torch.tensor([[1.0, 0], [0, 2], [3, 1]], device=DEVICE)
    out = kernels.attention(q, k, v, causal=True)
    expected = ["1.0000 0.0000", "0.3302 1.3395", "1.7587 1.0000"]
    assert [" ".join(f"{float(x):.4f}" for x in row) for row in out] == expected


def test_the_output_alone_is_the_first_of_the_pair() -> None:
    q, k, v = draw(*Case(5, 7, 2).shapes)
    out, _ = kernels.attention(q, k, v, causal=True, return_lse=True)
    assert_array_equal(kernels.attention(q, k, v, causal=True).cpu(), out.cpu())


def test_inputs_are_left_alone() -> None:
    inputs = draw(*Case(5, 7, 2).shapes)
    before = [x.clone() for x in inputs]
    kernels.attention(*inputs, causal=True)
    assert all(torch.equal(x, y) for x, y in zip(inputs, before, strict=True))
