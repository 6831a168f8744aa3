"""kernels.attention against attnref in float64, forward and backward, by the rule in judge.py."""

from collections.abc import Callable
from math import inf, log
from typing import Any

import pytest
import torch
from numpy.testing import assert_array_equal

import attnref
import kernels
from tests.kernels.cases import (
    BOUNDS,
    DTYPES,
    EMPTY,
    GROUPS,
    MASKS,
    WIDTHS,
    Case,
    lengths,
    mixtures,
)
from tests.kernels.judge import DEVICE, assert_as_good_as_torch, draw
from tests.kernels.layouts import LAYOUTS
from tests.kernels.pairwise import quick_or_deep

WHOLE = [
    *(Case(L, S) for L, S in lengths(256, 127, 509)),
    *(Case(33, 70, D=D, Dv=Dv) for D, Dv in WIDTHS),
    *(Case(19, 37, Hq, Hkv, batch=(2,) if Hq < 5 else (1,)) for Hq, Hkv in GROUPS),
]
BOUNDED = quick_or_deep({"case": WHOLE, "bounds": ["", "causal"], "dtype": DTYPES})
SIZES, TILES = lengths(32, 37, 89), [None, (16, 32), (32, 16)]
MIXED = mixtures(SIZES[1::2], TILES, ["", *BOUNDS][::2], ["", *MASKS][::2])
MORE = [case for case in mixtures(SIZES, TILES) if case not in MIXED]


@pytest.mark.parametrize(("case", "bounds", "dtype"), BOUNDED)
def test_kernels_err_no_more_than_torch(case: Case, bounds: str, dtype: str) -> None:
    assert_as_good_as_torch(**case._replace(bounds=bounds, dtype=dtype).arguments)


@pytest.mark.parametrize(
    "case", [*MIXED, *(pytest.param(case, marks=pytest.mark.deep) for case in MORE)], ids=str
)
def test_any_two_features_work_together(set_tile: Callable[..., None], case: Case) -> None:
    if case.tile and kernels.INTERPRETED:
        set_tile(*case.tile)
    assert_as_good_as_torch(**case.arguments, layout=LAYOUTS[case.layout])


def test_there_are_400_cases_and_all_are_different() -> None:
    bounded = [
        (case._replace(bounds=bounds, dtype=dtype), not deep)
        for (case, bounds, dtype), deep, _ in BOUNDED
    ]
    cases = {case for case, _ in bounded} | {*MIXED, *MORE}
    assert len(cases) == len(BOUNDED) + len(MIXED) + len(MORE) >= 400
    assert sum(quick for _, quick in bounded) + len(MIXED) >= 180


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "options",
    [{}, {"bounds": "causal"}, {"mask": "bias ls"}, {"softcap": 30.0}, {"mask": "Boolean ls"}],
    ids=str,
)
def test_nothing_is_granted_where_there_is_enough_to_average(options: Any, dtype: str) -> None:
    case = Case(127, 509, 2, 1, D=64, dtype=dtype, **options)
    assert_as_good_as_torch(**case.arguments, grant=False)


@pytest.mark.parametrize("case", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("bounds", ["", "causal", "window (9, 5)"])
@pytest.mark.parametrize("mask", ["", "Boolean bhls", "bias ls"])
def test_empty_axes_mean_what_they_mean_in_attnref(case: Case, bounds: str, mask: str) -> None:
    assert_as_good_as_torch(**case._replace(bounds=bounds, mask=mask).arguments)


@pytest.mark.parametrize("scale", [0, 1, 0.3, -2.0, 100.0, 1e-50, -1e-50])
@pytest.mark.parametrize("bounds", ["", "causal"])
def test_any_scale_will_do(bounds: str, scale: float) -> None:
    assert_as_good_as_torch(**Case(20, 33, 2, bounds=bounds, scale=scale).arguments)


@pytest.mark.parametrize("softcap", [0.1, 1.0, 50.0, 1e4])
def test_any_softcap_will_do(softcap: float) -> None:
    assert_as_good_as_torch(**Case(20, 33, 2, softcap=softcap, scale=2.0).arguments)


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
    assert_as_good_as_torch(*inputs, backward=False)


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
    arguments = Case(5, 7, 2, bounds="causal", mask="bias ls").arguments
    inputs = [x for x in arguments.values() if isinstance(x, torch.Tensor)]
    before = [x.clone() for x in inputs]
    for x in inputs:
        x.requires_grad_()
    kernels.attention(**arguments).sum().backward()
    assert all(torch.equal(x, y) for x, y in zip(inputs, before, strict=True))
