"""Against the definition, written out as loops over floats in conftest.py."""

from math import inf, log, tanh
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attnref import attention, attention_weights

SHAPES = {  # q, k, v
    "one head": ((3, 4), (5, 4), (5, 2)),
    "heads": ((2, 3, 4), (2, 5, 4), (2, 5, 3)),
    "batch": ((2, 3, 4, 5), (2, 3, 4, 5), (2, 3, 4, 5)),
    "two batch axes": ((2, 1, 2, 3, 2), (2, 1, 2, 3, 2), (2, 1, 2, 3, 1)),
    "grouped heads": ((2, 6, 3, 4), (2, 2, 5, 4), (2, 2, 5, 3)),
    "one KV head": ((2, 4, 3, 2), (2, 1, 4, 2), (2, 1, 4, 2)),
    "one query": ((1, 2, 1, 3), (1, 2, 6, 3), (1, 2, 6, 3)),
    "fewer keys": ((2, 5, 3), (2, 2, 3), (2, 2, 3)),
    "no keys": ((2, 3, 4), (2, 0, 4), (2, 0, 2)),
    "no queries": ((2, 0, 4), (2, 3, 4), (2, 3, 2)),
    "no values": ((2, 3, 4), (2, 3, 4), (2, 3, 0)),
    "no batch": ((0, 2, 3, 4), (0, 1, 3, 4), (0, 1, 3, 4)),
    "no heads": ((0, 3, 4), (0, 3, 4), (0, 3, 4)),
    "no query heads": ((0, 3, 4), (2, 3, 4), (2, 3, 4)),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"causal": True},
    "window": {"window": (1, 1)},
    "window on the right": {"window": (0, 2)},
    "causal window": {"causal": True, "window": (2, 3)},
    "scale": {"scale": 0.3},
    "no scale": {"scale": 0.0},
    "softcap": {"softcap": 0.8},
    "all": {"causal": True, "window": (2, 0), "scale": -1.5, "softcap": 2.0},
}


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.filterwarnings("error")
def test_attention_is_what_the_definition_says(
    array: Any, draw: Any, defined: Any, shapes: Any, options: Any
) -> None:
    q, k, v = draw(*shapes)
    expected, weights, expected_lse = defined(q, k, v, **options)
    out, lse = attention(array(q), array(k), array(v), **options, return_lse=True)
    assert out.shape == expected.shape
    assert lse.shape == expected_lse.shape
    assert_allclose(out, expected, rtol=1e-12, atol=1e-14)
    assert_allclose(lse, expected_lse, rtol=1e-12, atol=1e-14)
    assert_array_equal(out, attention(array(q), array(k), array(v), **options))
    assert_allclose(attention_weights(array(q), array(k), **options), weights, atol=1e-14)


@pytest.mark.parametrize("shape", [(), (3, 5), (1, 5), (3, 1), (6, 1, 1), (2, 1, 3, 5)])
@pytest.mark.parametrize("additive", [False, True], ids=["Boolean", "additive"])
@pytest.mark.parametrize("options", [{}, {"causal": True, "window": (2, 1), "softcap": 0.8}])
def test_a_mask_is_laid_over_the_scores_by_broadcasting(
    array: Any, draw: Any, defined: Any, shape: Any, additive: bool, options: Any
) -> None:
    q, k, v, bias = draw((2, 6, 3, 4), (2, 3, 5, 4), (2, 3, 5, 2), shape)
    mask = np.where(bias > 0.8, -inf, bias) if additive else np.asarray(bias < 0.8)
    expected, weights, expected_lse = defined(q, k, v, mask=mask, **options)
    q, k, v, mask = array(q), array(k), array(v), array(mask, mask.dtype.name)
    out, lse = attention(q, k, v, mask=mask, **options, return_lse=True)
    assert_allclose(out, expected, rtol=1e-12, atol=1e-14)
    assert_allclose(lse, expected_lse, rtol=1e-12, atol=1e-14)
    assert_allclose(attention_weights(q, k, mask=mask, **options), weights, atol=1e-14)


def test_the_worked_example_of_chapter_7_comes_out_to_four_digits(array: Any) -> None:
    Q = K = array([[1, 0], [0, 1], [1, 1]])
    V = array([[1, 0], [0, 2], [3, 1]])
    A = attention_weights(Q, K, causal=True)
    expected = ["1.0000 0.0000 0.0000", "0.3302 0.6698 0.0000", "0.2483 0.2483 0.5035"]
    assert [" ".join(f"{float(a):.4f}" for a in row) for row in A] == expected
    out = attention(Q, K, V, causal=True)
    expected = ["1.0000 0.0000", "0.3302 1.3395", "1.7587 1.0000"]
    assert [" ".join(f"{float(o):.4f}" for o in row) for row in out] == expected


def test_the_last_query_stands_at_the_last_key(array: Any) -> None:
    q, k = array(np.zeros((3, 2))), array(np.zeros((8, 2)))
    sees = attention_weights(q, k, causal=True) > 0
    assert_array_equal(sees.sum(-1), [6, 7, 8])
    sees = attention_weights(k, q, causal=True) > 0
    assert_array_equal(sees.sum(-1), [0, 0, 0, 0, 0, 1, 2, 3])


def test_a_window_of_no_neighbours_copies_the_values(array: Any, draw: Any) -> None:
    q, k, v = (array(x) for x in draw((4, 3), (4, 3), (4, 3)))
    assert_array_equal(attention(q, k, v, window=(0, 0)), v)


def test_softcap_bends_the_scaled_scores_before_the_mask(array: Any) -> None:
    q, k = array([[6.0, 0, 0, 0]]), array([[1.0, 0, 0, 0], [1.0, 0, 0, 0]])
    mask = array([[0.0, -inf]])
    _, lse = attention(q, k, k, mask=mask, softcap=2.0, return_lse=True)
    assert_allclose(lse, [2 * tanh(3 / 2)])  # one key is left: lse is its score
    _, lse = attention(q, k, k, mask=array([[7.0, -inf]]), softcap=2.0, return_lse=True)
    assert_allclose(lse, [2 * tanh(3 / 2) + 7])


def test_lse_is_a_natural_logarithm(array: Any) -> None:
    zeros = array(np.zeros((1, 2)))
    _, lse = attention(zeros, array(np.zeros((10, 2))), array(np.ones((10, 1))), return_lse=True)
    assert_allclose(lse, [log(10)])


def test_grouped_heads_equal_repeated_ones(array: Any, draw: Any) -> None:
    q, k, v = draw((2, 6, 3, 4), (2, 2, 5, 4), (2, 2, 5, 4))
    repeated = [array(np.repeat(x, 3, axis=1)) for x in (k, v)]
    out = attention(array(q), array(k), array(v), causal=True)
    assert_allclose(out, attention(array(q), *repeated, causal=True), rtol=1e-13)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "nothing",
    [
        {"mask": np.zeros((3, 3), dtype=bool)},
        {"mask": np.full((3, 3), -inf)},
        {"mask": np.eye(3)[:, ::-1] == 0, "window": (0, 0), "causal": True},
        {"mask": np.eye(3) == 0, "window": (0, 0)},
    ],
    ids=["Boolean", "additive", "one row only", "two that exclude each other"],
)
def test_masked_rows_give_zeros_not_nan(array: Any, draw: Any, defined: Any, nothing: Any) -> None:
    q, k, v = draw((3, 2), (3, 2), (3, 2))
    expected, _, expected_lse = defined(q, k, v, **nothing)
    mask = array(nothing["mask"], nothing["mask"].dtype.name)
    out, lse = attention(array(q), array(k), array(v), **{**nothing, "mask": mask}, return_lse=True)
    assert np.isneginf(expected_lse).any()
    assert_array_equal(np.asarray(out)[np.isneginf(expected_lse)], 0.0)
    assert_allclose(out, expected)
    assert_allclose(lse, expected_lse)


@pytest.mark.filterwarnings("error")
def test_no_keys_at_all_give_zeros_and_lse_minus_infinity(array: Any) -> None:
    q, k, v = array(np.ones((2, 3, 4))), array(np.ones((1, 0, 4))), array(np.ones((1, 0, 5)))
    for options in ({}, {"causal": True, "window": (1, 1), "softcap": 1.0}):
        out, lse = attention(q, k, v, **options, return_lse=True)
        assert_array_equal(out, np.zeros((2, 3, 5)))
        assert_array_equal(lse, np.full((2, 3), -inf))


def test_a_mask_hides_a_number_but_does_not_cure_a_nan(array: Any) -> None:
    q, k, v = array([[1.0]]), array([[1.0], [1.0]]), array([[1.0], [np.nan]])
    out = attention(q, k, v, mask=array([True, False], "bool"))
    assert np.isnan(np.asarray(out)).all()  # 0 · NaN


def test_inputs_need_not_be_contiguous(array: Any, draw: Any) -> None:
    q, k, v = draw((2, 3, 4, 5), (2, 6, 1, 5), (2, 6, 1, 5))  # (B, L, H, D)
    swapped = [array(x).swapaxes(1, 2) for x in (q, k, v)]
    straight = [array(np.ascontiguousarray(x.swapaxes(1, 2))) for x in (q, k, v)]
    assert_allclose(attention(*swapped), attention(*straight), rtol=1e-13)
    every_other = [array(x)[..., ::2, :] for x in (q[0, 0], k[:, :, 0][0], v[:, :, 0][0])]
    copied = [array(np.asarray(x).copy()) for x in every_other]
    assert_allclose(attention(*every_other), attention(*copied), rtol=1e-13)


def test_inputs_are_left_as_they_were(array: Any, draw: Any) -> None:
    drawn = draw((2, 3, 4), (2, 5, 4), (2, 5, 4), (3, 5))
    q, k, v, mask = (array(x) for x in drawn)
    attention(q, k, v, mask=mask, causal=True, window=(1, 0), softcap=1.0)
    for x, before in zip((q, k, v, mask), drawn, strict=True):
        assert_array_equal(x, before)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_the_output_has_the_dtype_of_the_input(array: Any, draw: Any, dtype: str) -> None:
    if array(0.0).__class__ is np.ndarray and dtype == "bfloat16":
        pytest.skip("NumPy has no bfloat16")
    q, k, v = (array(x, dtype) for x in draw((3, 4), (5, 4), (5, 4)))
    for mask in (None, array(np.zeros((3, 5)), "float64"), array(np.zeros((3, 5)), "float32")):
        out, lse = attention(q, k, v, mask=mask, scale=np.float64(0.5), return_lse=True)
        assert out.dtype == attention_weights(q, k, mask=mask).dtype == q.dtype
        assert lse.dtype == array(0.0, "float64" if dtype == "float64" else "float32").dtype


@pytest.mark.parametrize(("dtype", "roundoff"), [("float16", 2.0**-11), ("bfloat16", 2.0**-8)])
def test_half_precision_loses_only_the_rounding_of_its_output(
    array: Any, draw: Any, defined: Any, float32_error: Any, dtype: str, roundoff: float
) -> None:
    if array(0.0).__class__ is np.ndarray and dtype == "bfloat16":
        pytest.skip("NumPy has no bfloat16")
    halves = [array(x, dtype) for x in draw((2, 4, 9, 16), (2, 2, 33, 16), (2, 2, 33, 8))]
    q, k, v = (np.asarray(x.tolist()) for x in halves)  # exactly what the halves hold
    expected, _, _ = defined(q, k, v, causal=True)
    out = np.asarray(attention(*halves, causal=True).tolist())
    smallest = 2.0**-25 if dtype == "float16" else 0.0  # half the spacing of float16 near 0
    bound = roundoff * np.abs(expected) + (1 + roundoff) * float32_error(q, k, v) + smallest
    assert np.all(np.abs(out - expected) <= bound)


def test_float32_loses_only_its_own_roundings(
    array: Any, draw: Any, defined: Any, float32_error: Any
) -> None:
    singles = [array(x, "float32") for x in draw((2, 4, 9, 16), (2, 2, 33, 16), (2, 2, 33, 8))]
    q, k, v = (np.asarray(x.tolist()) for x in singles)
    expected, _, expected_lse = defined(q, k, v, causal=True)
    out, lse = attention(*singles, causal=True, return_lse=True)
    assert np.max(np.abs(np.asarray(out.tolist()) - expected)) <= float32_error(q, k, v)
    assert np.max(np.abs(np.asarray(lse.tolist()) - expected_lse)) <= float32_error(q, k)
