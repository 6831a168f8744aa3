"""Every mask against its definition, pair by pair."""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from attnref import masks

LENGTHS = [(0, 0), (0, 3), (3, 0), (1, 6), (5, 5), (3, 8), (6, 4)]

# Name: the mask, and whether a query at position p sees key j.
PATTERNS: dict[str, tuple[Callable[..., Any], Callable[[int, int], bool]]] = {
    "causal": (masks.causal, lambda p, j: j <= p),
    "window": (lambda L, S, **o: masks.window(L, S, 2, 1, **o), lambda p, j: -2 <= j - p <= 1),
    "dilated": (
        lambda L, S, **o: masks.dilated(L, S, 2, 1, 3, **o),
        lambda p, j: j - p in (-6, -3, 0, 3),
    ),
    "strided": (
        lambda L, S, **o: masks.strided(L, S, 3, **o),
        lambda p, j: p - j in (0, 1, 2) or (j <= p and (p - j) % 3 == 0),
    ),
    "prefix": (lambda L, S, **o: masks.prefix(L, S, 2, **o), lambda p, j: j < 2 or j <= p),
    "longformer": (
        lambda L, S, **o: masks.longformer(L, S, 1, 1, [j for j in (0, 3) if j < S], **o),
        lambda p, j: abs(p - j) <= 1 or j in (0, 3) or p in (0, 3),
    ),
}


@pytest.mark.parametrize(("L", "S"), LENGTHS)
@pytest.mark.parametrize(("mask", "sees"), PATTERNS.values(), ids=PATTERNS)
def test_a_pattern_is_its_definition(mask: Any, sees: Any, L: int, S: int, array: Any) -> None:
    expected = [[sees(i + S - L, j) for j in range(S)] for i in range(L)]
    made = mask(L, S, like=array(0.0))
    assert type(made) is type(array(0.0))
    assert_array_equal(made, np.asarray(expected, dtype=bool).reshape(L, S))


def test_a_dilation_of_one_is_a_window() -> None:
    assert_array_equal(masks.dilated(5, 9, 3, 2, 1), masks.window(5, 9, 3, 2))


def test_padding_hides_what_a_sequence_does_not_have(array: Any) -> None:
    mask = masks.padding(array([2, 0, 4], "int64"), 4)
    assert tuple(mask.shape) == (3, 1, 1, 4)
    assert_array_equal(mask[:, 0, 0], [[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])


def test_documents_see_only_themselves(array: Any) -> None:
    one = array([7, 7, 2], "int64")
    assert_array_equal(masks.document(one, one), [[1, 1, 0], [1, 1, 0], [0, 0, 1]])
    ids_q, ids_k = array([[1, 2], [3, 3]], "int64"), array([[2, 1, 2], [3, 4, 3]], "int64")
    mask = masks.document(ids_q, ids_k)
    assert tuple(mask.shape) == (2, 1, 2, 3)
    assert_array_equal(mask[:, 0], [[[0, 1, 0], [1, 0, 1]], [[1, 0, 1], [1, 0, 1]]])


def test_blocks_are_cut_off_at_the_end(array: Any) -> None:
    chosen = array([[True, False], [False, True]], "bool")
    expected = [[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1]]
    assert_array_equal(masks.blocks(chosen, (2, 3), 3, 4), expected)
    heads = masks.blocks(chosen[None], (2, 3), 3, 4)
    assert_array_equal(heads, [expected])


def test_bigbird_has_neighbours_first_blocks_and_as_many_random_ones_as_asked() -> None:
    count, block = 12, 3
    mask = masks.bigbird(count * block - 1, block, window=3, everywhere=1, random=2, seed=5)
    assert mask.shape == (35, 35)
    chosen = mask[::block, ::block]
    assert_array_equal(masks.blocks(chosen, (block, block), 35, 35), mask)
    assert chosen[0].all()
    for i in range(1, count):
        always = {0, i - 1, i, min(i + 1, count - 1)}
        seen = set(np.flatnonzero(chosen[i]))
        assert always <= seen
        assert len(seen - always) == 2


def test_a_seed_gives_the_same_bigbird_on_every_machine_and_library(array: Any) -> None:
    first = masks.bigbird(8, 1, window=1, everywhere=1, random=1, seed=3)
    rows = [np.flatnonzero(row).tolist() for row in first[1:]]
    assert rows == [[0, 1, 7], [0, 2, 7], [0, 3, 5], [0, 4, 6], [0, 5, 7], [0, 4, 6], [0, 3, 7]]
    made = masks.bigbird(8, 1, window=1, everywhere=1, random=1, seed=3, like=array(0.0))
    assert type(made) is type(array(0.0))
    assert_array_equal(made, first)
    assert (first != masks.bigbird(8, 1, window=1, everywhere=1, random=1, seed=4)).any()


def test_bigbird_takes_all_blocks_when_there_are_few() -> None:
    assert masks.bigbird(4, 2, random=9, seed=0).all()
    assert masks.bigbird(0, 2, seed=0).shape == (0, 0)


def test_both_forms_of_a_mask_are_inverse(array: Any) -> None:
    mask = array(masks.causal(3, 5), "bool")
    bias = masks.to_bias(mask, array(0.0).dtype)
    assert_array_equal(masks.to_boolean(bias), mask)


def test_a_mask_made_of_arrays_stays_on_their_device() -> None:
    lengths = torch.ones(2, dtype=torch.int64, device="meta")
    assert masks.padding(lengths, 3).device.type == "meta"
    assert masks.document(lengths, lengths).device.type == "meta"


INTEGERS, REALS, TRUTHS = np.ones(2, dtype=int), np.ones(2), np.ones((2, 2), dtype=bool)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: masks.dilated(2, 2, 1, 1, 0), ValueError, "dilation is 0: expected 1 or more"),
        (lambda: masks.dilated(2, 2, -1, 1, 1), ValueError, "left is -1: expected 0 or more"),
        (lambda: masks.strided(2, 2, 0), ValueError, "stride is 0: expected 1 or more"),
        (lambda: masks.strided(2, 2, 1.5), TypeError, "stride is 1.5: expected a whole number"),
        (lambda: masks.prefix(2, 2, -1), ValueError, "n is -1: expected 0 or more"),
        (
            lambda: masks.longformer(2, 3, 1, 1, [3]),
            ValueError,
            "everywhere has 3: expected positions below S, 3",
        ),
        (lambda: masks.longformer(2, 3, 1, 1, [-1]), ValueError, "everywhere is -1: expected 0 or"),
        (lambda: masks.bigbird(4, 0, seed=0), ValueError, "block is 0: expected 1 or more"),
        (lambda: masks.bigbird(4, 1, window=2, seed=0), ValueError, "window is 2: expected an odd"),
        (lambda: masks.bigbird(4, 1, random=-1, seed=0), ValueError, "random is -1: expected 0 or"),
        (lambda: masks.bigbird(4, 1, everywhere=-1, seed=0), ValueError, "everywhere is -1: expec"),
        (lambda: masks.bigbird(4, 1, seed=-1), ValueError, "seed is -1: expected 0 or more"),
        (lambda: masks.bigbird(-4, 1, seed=1), ValueError, "n is -4: expected 0 or more"),
        (
            lambda: masks.padding(REALS, 2),
            TypeError,
            "lengths has dtype float64: expected integral",
        ),
        (lambda: masks.padding([1], 2), TypeError, "lengths is a list: expected an array"),
        (
            lambda: masks.padding(INTEGERS[None], 2),
            ValueError,
            "lengths has shape (1, 2): expected",
        ),
        (lambda: masks.padding(INTEGERS, -2), ValueError, "S is -2: expected 0 or more"),
        (lambda: masks.document(REALS, INTEGERS), TypeError, "ids_q has dtype float64: expected i"),
        (lambda: masks.document(INTEGERS, REALS), TypeError, "ids_k has dtype float64: expected i"),
        (
            lambda: masks.document(INTEGERS, torch.ones(2, dtype=torch.int64)),
            TypeError,
            "ids_k is a torch.Tensor on cpu: expected a numpy.ndarray on cpu, as ids_q",
        ),
        (
            lambda: masks.document(INTEGERS[None], INTEGERS),
            ValueError,
            "ids_k has shape (2,): its batch must be ids_q's (1,)",
        ),
        (
            lambda: masks.document(INTEGERS[None, None], INTEGERS),
            ValueError,
            "ids_q has shape (1, 1, 2): expected (L,) or (B, L)",
        ),
        (lambda: masks.blocks(REALS, (1, 1), 2, 2), TypeError, "block_mask has dtype float64: exp"),
        (lambda: masks.blocks(TRUTHS, 1, 2, 2), TypeError, "block is 1: expected a pair (bl, bs)"),
        (lambda: masks.blocks(TRUTHS, (1, 0), 2, 2), ValueError, "block is 0: expected 1 or more"),
        (
            lambda: masks.blocks(TRUTHS, (2, 2), 4, 5),
            ValueError,
            "block_mask has shape (2, 2): its last two axes must be (2, 3)",
        ),
        (
            lambda: masks.to_boolean(TRUTHS),
            TypeError,
            "bias has dtype bool: expected real floating",
        ),
        (
            lambda: masks.to_boolean(np.array([0.0, -inf, 1.0])),
            ValueError,
            "bias has numbers other than 0 and −∞: a Boolean mask cannot hold them",
        ),
    ],
)
def test_wrong_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(message)
