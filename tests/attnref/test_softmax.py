from math import e, exp, inf, log
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from attnref import logsumexp, softmax


def test_softmax_is_exponentials_over_their_sum(array: Any) -> None:
    total = 1 + e + e**2
    assert_allclose(softmax(array([0.0, 1.0, 2.0])), [1 / total, e / total, e**2 / total])


def test_logsumexp_is_the_logarithm_of_the_sum(array: Any) -> None:
    assert_allclose(logsumexp(array([0.0, 1.0, 2.0])), log(1 + e + e**2))


def test_the_axis_is_the_one_that_sums_to_one(array: Any, draw: Any) -> None:
    (x,) = draw((2, 3, 4))
    for axis in (0, 1, 2, -1, -3):
        assert_allclose(softmax(array(x), axis=axis).sum(axis), 1.0)
        assert_allclose(logsumexp(array(x), axis=axis), np.log(np.exp(x).sum(axis)))


def test_softmax_goes_along_the_last_axis_by_default(array: Any, draw: Any) -> None:
    (x,) = draw((3, 4))
    assert_array_equal(softmax(array(x)), softmax(array(x), axis=1))
    assert_array_equal(logsumexp(array(x)), logsumexp(array(x), axis=1))


def test_large_scores_do_not_overflow(array: Any) -> None:
    x = array([1000.0, 1001.0])
    assert_allclose(softmax(x), [1 / (1 + e), e / (1 + e)])
    assert_allclose(logsumexp(x), 1000 + log(1 + e))


def test_very_negative_scores_do_not_vanish(array: Any) -> None:
    x = array([-1000.0, -1001.0])
    assert_allclose(softmax(x), [e / (1 + e), 1 / (1 + e)])
    assert_allclose(logsumexp(x), -1000 + log(1 + exp(-1)))


def test_minus_infinity_weighs_nothing(array: Any) -> None:
    assert_array_equal(softmax(array([0.0, -inf, 0.0])), [0.5, 0.0, 0.5])


@pytest.mark.filterwarnings("error")
def test_a_slice_of_minus_infinity_gives_zeros_not_nan(array: Any) -> None:
    x = array([[-inf, -inf], [0.0, 0.0]])
    assert_array_equal(softmax(x), [[0.0, 0.0], [0.5, 0.5]])
    assert_allclose(logsumexp(x), [-inf, log(2)])


@pytest.mark.filterwarnings("error")
def test_an_empty_slice_gives_no_weights_and_lse_minus_infinity(array: Any) -> None:
    assert softmax(array(np.ones((3, 0)))).shape == (3, 0)
    assert_array_equal(logsumexp(array(np.ones((3, 0)))), [-inf, -inf, -inf])
    assert softmax(array(np.ones((0, 3)))).shape == (0, 3)
    assert logsumexp(array(np.ones((0, 3)))).shape == (0,)


def test_gradients_are_right_and_zero_for_a_slice_of_minus_infinity() -> None:
    x = torch.tensor([[-inf, -inf], [0.5, -inf], [1.0, 2.0]], dtype=torch.float64)
    x.requires_grad_()
    for call in (softmax, logsumexp):
        y = call(x)
        slope = torch.arange(1.0, y.numel() + 1, dtype=torch.float64).reshape(y.shape)
        (grad,) = torch.autograd.grad(y, x, slope)
        library = torch.softmax(x[1:], -1) if call is softmax else torch.logsumexp(x[1:], -1)
        (expected,) = torch.autograd.grad(library, x, slope[1:])
        assert_array_equal(grad[0], [0.0, 0.0])
        assert_allclose(grad, expected, atol=1e-15)


def test_half_precision_is_computed_in_float32(array: Any) -> None:
    x = array(np.zeros(70_000), "float16")  # 70,000 is more than a float16 holds
    assert softmax(x).dtype == x.dtype
    assert_array_equal(softmax(x), np.full(70_000, 1 / 70_000, "float16"))
    assert logsumexp(x).dtype == array(0.0, "float32").dtype
    assert_allclose(logsumexp(x), log(70_000), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_other_dtypes_are_kept(array: Any, dtype: str) -> None:
    x = array([0.0, 1.0], dtype)
    assert softmax(x).dtype == logsumexp(x).dtype == x.dtype


def test_integers_and_lists_are_refused(array: Any) -> None:
    for call in (softmax, logsumexp):
        with pytest.raises(TypeError, match=r"^x has dtype .*int64: expected real floating$"):
            call(array([1, 2], "int64"))
        with pytest.raises(TypeError, match=r"^x is a list: expected an array$"):
            call([1.0, 2.0])
