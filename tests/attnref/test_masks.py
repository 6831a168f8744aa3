from math import inf
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from attnref import masks


def test_a_square_causal_mask_is_the_lower_triangle() -> None:
    assert_array_equal(masks.causal(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert_array_equal(masks.causal(3), masks.causal(3, 3))


def test_with_more_keys_the_last_query_stands_at_the_last_key() -> None:
    mask = masks.causal(3, 8)
    assert_array_equal(mask.sum(axis=1), [6, 7, 8])
    assert_array_equal(mask[0], [1, 1, 1, 1, 1, 1, 0, 0])


def test_with_fewer_keys_the_first_queries_see_nothing() -> None:
    assert_array_equal(masks.causal(4, 2), [[0, 0], [0, 0], [1, 0], [1, 1]])


def test_one_new_query_sees_the_whole_cache() -> None:
    assert masks.causal(1, 5).all()


def test_masks_may_be_empty() -> None:
    for L, S in [(0, 3), (3, 0), (0, 0)]:
        assert masks.causal(L, S).shape == masks.window(L, S, 1, 1).shape == (L, S)


def test_a_window_counts_neighbours_on_each_side_and_the_position_itself() -> None:
    expected = [[1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [0, 1, 1, 1, 1], [0, 0, 1, 1, 1]]
    assert_array_equal(masks.window(5, 5, 2, 1), expected)


def test_a_window_of_no_neighbours_is_the_position_itself() -> None:
    assert_array_equal(masks.window(4, 4, 0, 0), np.eye(4))


def test_a_window_stands_where_causal_puts_the_query() -> None:
    assert_array_equal(masks.window(2, 5, 1, 0), [[0, 0, 1, 1, 0], [0, 0, 0, 1, 1]])
    assert_array_equal(masks.window(2, 5, 5, 0), masks.causal(2, 5))
    assert_array_equal(masks.window(3, 1, 0, 1), [[0], [1], [1]])


def test_masks_compose() -> None:
    assert_array_equal(masks.causal(5, 7) & masks.window(5, 7, 2, 2), masks.window(5, 7, 2, 0))


def test_a_mask_takes_its_library_and_device_from_like(array: Any) -> None:
    like = array([1.0])
    for mask in (masks.causal(2, 3, like=like), masks.window(2, 3, 1, 1, like=like)):
        assert type(mask) is type(like)
    assert masks.causal(2, like=torch.ones(1, device="meta")).device.type == "meta"
    assert isinstance(masks.causal(2), np.ndarray)
    assert masks.causal(2).dtype == bool


def test_the_bias_is_zero_where_a_pair_takes_part(array: Any) -> None:
    mask = array([[True, False], [False, True]], "bool")
    for name in ("float16", "float32", "float64"):
        dtype = array(0.0, name).dtype
        bias = masks.to_bias(mask, dtype)
        assert bias.dtype == dtype
        assert_array_equal(bias, [[0.0, -inf], [-inf, 0.0]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: masks.causal(-1), ValueError, "^L is -1: expected 0 or more$"),
        (lambda: masks.causal(2, -3), ValueError, "^S is -3: expected 0 or more$"),
        (lambda: masks.causal(2.5), TypeError, r"^L is 2\.5: expected a whole number$"),
        (lambda: masks.causal(2, "3"), TypeError, "^S is '3': expected a whole number$"),
        (lambda: masks.window(2, 2, -1, 0), ValueError, "^left is -1: expected 0 or more$"),
        (lambda: masks.window(2, 2, 0, None), TypeError, "^right is None: expected a whole number"),
        (lambda: masks.to_bias(np.ones(2), np.float32), TypeError, "^mask has dtype float64: exp"),
        (lambda: masks.to_bias(masks.causal(2), np.dtype(int)), TypeError, "^dtype is int64: exp"),
    ],
)
def test_wrong_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
