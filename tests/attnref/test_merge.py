"""Partial results over disjoint keys: a merge is the whole, associative, with an identity."""

import itertools
import re
from math import inf
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnref import attention, merge


def parts(array: Any, draw: Any, *cuts: int) -> tuple[Any, list[Any]]:
    """Attention over nine keys, whole and between the cuts."""
    q, k, v = draw((2, 4, 3, 8), (2, 2, 9, 8), (2, 2, 9, 5))
    whole = attention(array(q), array(k), array(v), return_lse=True)
    ends = (0, *cuts, 9)
    return whole, [
        attention(array(q), array(k[:, :, a:b]), array(v[:, :, a:b]), return_lse=True)
        for a, b in itertools.pairwise(ends)
    ]


def same(a: Any, b: Any) -> None:
    for x, y in zip(a, b, strict=True):
        assert_allclose(x, y, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("cuts", [(), (4,), (1, 2, 8), (0, 0, 5, 9)])
def test_the_merge_of_the_parts_is_the_whole(array: Any, draw: Any, cuts: tuple[int, ...]) -> None:
    whole, pieces = parts(array, draw, *cuts)
    same(merge(*zip(*pieces, strict=True)), whole)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([1.0, 100.0]))
def test_merging_is_associative_and_has_no_order(array: Any, seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    outs = list(map(array, rng.normal(size=(3, 4, 2))))
    lses = rng.normal(size=(3, 4), scale=size)
    lses[rng.random((3, 4)) < 0.3] = -inf
    lses = list(map(array, lses))
    all_at_once = merge(outs, lses)
    first = merge(outs[:2], lses[:2])
    same(merge([first[0], outs[2]], [first[1], lses[2]]), all_at_once)
    last = merge(outs[1:], lses[1:])
    same(merge([outs[0], last[0]], [lses[0], last[1]]), all_at_once)
    same(merge(outs[::-1], lses[::-1]), all_at_once)


def test_a_part_that_saw_nothing_changes_nothing(array: Any, draw: Any) -> None:
    (out, lse), _ = parts(array, draw)
    nothing = (out * 0, lse * 0 - inf)
    for pair in ([nothing, (out, lse)], [(out, lse), nothing]):
        merged = merge(*zip(*pair, strict=True))
        assert_array_equal(merged[0], out)
        assert_array_equal(merged[1], lse)
    merged = merge(*zip(nothing, nothing, strict=True))
    assert_array_equal(merged[0], nothing[0])
    assert_array_equal(merged[1], nothing[1])


def test_parts_may_be_one_array(array: Any, draw: Any) -> None:
    _, pieces = parts(array, draw, 4)
    outs, lses = (np.stack([np.asarray(x) for x in xs]) for xs in zip(*pieces, strict=True))
    listed = merge(*zip(*pieces, strict=True))
    for x, y in zip(merge(array(outs), array(lses)), listed, strict=True):
        assert_array_equal(x, y)


def test_half_precision_parts_are_merged_in_float32(array: Any, draw: Any) -> None:
    out, lse = draw((2, 3, 4), (2, 3))
    narrow, wide = array(out, "float16"), array(lse, "float32")
    merged, both = merge(narrow, wide)
    assert merged.dtype == narrow.dtype
    assert both.dtype == wide.dtype
    exact, _ = merge(np.asarray(narrow, dtype=float), np.asarray(wide, dtype=float))
    assert_allclose(np.asarray(merged, dtype=float), exact, rtol=2**-10, atol=2**-14)


def test_gradients_are_the_numerical_derivatives(draw: Any) -> None:
    out, lse = (torch.tensor(x, requires_grad=True) for x in draw((3, 2, 2), (3, 2)))
    assert torch.autograd.gradcheck(merge, (out, lse))


ONE = np.ones((2, 3, 4))


@pytest.mark.parametrize(
    ("outs", "lses", "error", "message"),
    [
        ([], [], ValueError, "outs is empty: expected one part or more"),
        (
            ONE[:0],
            ONE[:0, :, 0],
            ValueError,
            "outs has shape (0, 3, 4): expected (parts, …, L, Dv)",
        ),
        (ONE, ONE, ValueError, "lses has shape (2, 3, 4): it must be outs's without Dv, (2, 3)"),
        (ONE, [1.0], TypeError, "lses[0] is a float: expected an array"),
        (ONE, torch.ones(2, 3), TypeError, "lses is a torch.Tensor on cpu: expected a numpy"),
        (
            [ONE[0], ONE[0, :2]],
            ONE[..., 0],
            ValueError,
            "outs[1] has shape (2, 4): expected outs[0]'s (3, 4)",
        ),
        (ONE.astype(int), ONE[..., 0], TypeError, "outs has dtype int64: expected real floating"),
    ],
)
def test_wrong_arguments_are_named(
    outs: Any, lses: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        merge(outs, lses)
