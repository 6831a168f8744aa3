"""Decoding over caches: the definition, however the keys are cut or where their pages lie."""

import re
from math import inf
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnref import PagedCache, decode

B, HQ, HKV, S, D, DV = 3, 4, 2, 9, 6, 5


def paged(k: Any, v: Any, lengths: list[int], page: int, rng: Any) -> tuple[Any, Any, Any]:
    """The caches as pages in a random order, full of NaN where nothing was written."""
    pages = sum(-(-n // page) for n in lengths) + 2
    order = iter(rng.permutation(pages))
    k_pages, v_pages = (np.full((pages, page, *x.shape[1:2], x.shape[3]), np.nan) for x in (k, v))
    table = np.full((len(lengths), -(-max(lengths) // page) + 1), -1)
    for b, n in enumerate(lengths):
        for p in range(-(-n // page)):
            table[b, p] = at = next(order)
            tokens = slice(p * page, min(n, (p + 1) * page))
            count = tokens.stop - tokens.start
            k_pages[at, :count] = k[b, :, tokens].swapaxes(0, 1)
            v_pages[at, :count] = v[b, :, tokens].swapaxes(0, 1)
    return k_pages, v_pages, table


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    n=st.integers(1, 3),
    splits=st.sampled_from([None, 1, 2, 5, 30]),
    page=st.sampled_from([None, 1, 4, 16]),
    scale=st.sampled_from([None, 0.3]),
    seed=st.integers(0, 2**32 - 1),
)
def test_each_sequence_attends_to_the_keys_that_it_has(
    array: Any,
    defined: Any,
    n: int,
    splits: int | None,
    page: int | None,
    scale: float | None,
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    q, k, v = (rng.normal(size=s) for s in [(B, HQ, n, D), (B, HKV, S, D), (B, HKV, S, DV)])
    lengths = rng.integers(n, S + 1, size=B).tolist()
    for b, length in enumerate(lengths):
        k[b, :, length:] = v[b, :, length:] = np.nan  # what is not there is not read
    caches = {"k_cache": k, "v_cache": v}
    table = None
    if page is not None:
        k_pages, v_pages, numbers = paged(k, v, lengths, page, rng)
        caches, table = {"k_cache": k_pages, "v_cache": v_pages}, array(numbers, "int64")
    out, lse = decode(
        array(q),
        **{name: array(x) for name, x in caches.items()},
        seq_lens=array(lengths, "int64"),
        block_table=table,
        splits=splits,
        scale=scale,
        return_lse=True,
    )
    for b, length in enumerate(lengths):
        had = (q[b], k[b, :, :length], v[b, :, :length])
        expected, _, expected_lse = defined(*had, causal=True, scale=scale)
        assert_allclose(out[b], expected, rtol=1e-12, atol=1e-13)
        assert_allclose(lse[b], expected_lse, rtol=1e-12, atol=1e-13)


def test_a_paged_cache_is_decoded_as_it_is(array: Any, draw: Any, defined: Any) -> None:
    q, k, v = draw((2, 4, 1, D), (2, HKV, 7, D), (2, HKV, 7, DV))
    cache, lengths = PagedCache(8, 3, HKV, D, DV, like=array(q)), [7, 4]
    for _ in lengths:
        cache.add()
    for token in range(7):
        for b, length in enumerate(lengths):
            if token < length:
                at = slice(token, token + 1)
                cache.append(b, array(k[b, :, at]), array(v[b, :, at]))
    out = decode(array(q), cache.k, cache.v, cache.seq_lens, block_table=cache.block_table)
    for b, length in enumerate(lengths):
        expected, *_ = defined(q[b], k[b, :, :length], v[b, :, :length])
        assert_allclose(out[b], expected, rtol=1e-12, atol=1e-13)


def test_no_queries_and_no_keys(array: Any) -> None:
    q, k = array(np.ones((1, 2, 0, 3))), array(np.ones((1, 2, 4, 3)))
    out, lse = decode(q, k, k, [0], return_lse=True)
    assert tuple(out.shape) == (1, 2, 0, 3)
    assert tuple(lse.shape) == (1, 2, 0)
    nobody = array(np.ones((0, 2, 1, 3)))
    out, lse = decode(nobody, nobody, nobody, [], return_lse=True)
    assert tuple(out.shape) == (0, 2, 1, 3)
    assert tuple(lse.shape) == (0, 2, 1)


def test_half_precision_is_computed_in_float32_and_rounded_once(array: Any, draw: Any) -> None:
    q, k, v = (array(x, "float16") for x in draw((1, 2, 1, 4), (1, 2, 8, 4), (1, 2, 8, 4)))
    exact = decode(*(np.asarray(x, dtype=float) for x in (q, k, v)), [8])
    for splits in (1, 4):
        out, lse = decode(q, k, v, [8], splits=splits, return_lse=True)
        assert out.dtype == q.dtype
        assert str(lse.dtype).endswith("float32")
        assert_allclose(np.asarray(out, dtype=float), exact, rtol=2**-11 * 1.01, atol=1e-6)


def test_gradients_are_the_numerical_derivatives(draw: Any) -> None:
    inputs = [
        torch.tensor(x, requires_grad=True) for x in draw((1, 2, 2, 3), (1, 1, 4, 3), (1, 1, 4, 2))
    ]
    call = lambda q, k, v: decode(q, k, v, [3], splits=2, return_lse=True)  # noqa: E731
    assert torch.autograd.gradcheck(call, inputs)


Q, K, V = np.ones((2, 4, 1, 6)), np.ones((2, 2, 5, 6)), np.ones((2, 2, 5, 3))
PAGES = np.ones((4, 2, 2, 6))
TABLE = np.array([[0, 1], [2, 3]])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"q": [1.0]}, TypeError, "q is a list: expected an array"),
        (
            {"q": Q[0]},
            ValueError,
            "q has shape (4, 1, 6): expected (B, Hq, n, D), here (any, any, a",
        ),
        (
            {"k_cache": K[..., :4]},
            ValueError,
            "k_cache has shape (2, 2, 5, 4): expected (B, Hkv, S",
        ),
        (
            {"k_cache": K[:1]},
            ValueError,
            "k_cache has shape (1, 2, 5, 6): expected (B, Hkv, S, D), ",
        ),
        (
            {"v_cache": V[:, :, :4]},
            ValueError,
            "v_cache has shape (2, 2, 4, 3): expected (B, Hkv, S",
        ),
        (
            {"v_cache": V.astype(np.float32)},
            TypeError,
            "v_cache has dtype float32: expected q's flo",
        ),
        (
            {"q": Q[:, :3]},
            ValueError,
            "k_cache has shape (2, 2, 5, 6): its 2 heads must divide q's 3",
        ),
        ({"seq_lens": [1]}, ValueError, "seq_lens has 1 lengths: expected one a sequence, 2"),
        ({"seq_lens": [1, 6]}, ValueError, "seq_lens[1] is 6: expected 1 (queries) to 5 (room)"),
        ({"seq_lens": [0, 5]}, ValueError, "seq_lens[0] is 0: expected 1 (queries) to 5 (room)"),
        ({"splits": 0}, ValueError, "splits is 0: expected 1 or more"),
        ({"scale": "1"}, TypeError, "scale is '1': expected a number"),
    ],
)
def test_wrong_arguments_are_named(arguments: Any, error: type[Exception], message: str) -> None:
    good = {"q": Q, "k_cache": K, "v_cache": V, "seq_lens": [5, 5]}
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        decode(**{**good, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"block_table": TABLE[0]},
            ValueError,
            "block_table has shape (2,): expected (B, max_pages)",
        ),
        (
            {"block_table": TABLE * 1.0},
            TypeError,
            "block_table has dtype float64: expected integral",
        ),
        (
            {"block_table": torch.tensor(TABLE)},
            TypeError,
            "block_table is a torch.Tensor on cpu: ex",
        ),
        (
            {"v_cache": PAGES[:3]},
            ValueError,
            "v_cache has shape (3, 2, 2, 6): expected (pages, page, ",
        ),
        ({"block_table": TABLE + 1}, ValueError, "block_table[1, 1] is 4: expected a page below 4"),
        (
            {"block_table": TABLE - 1},
            ValueError,
            "block_table[0, 0] is -1: expected a page below 4",
        ),
        ({"seq_lens": [5, 4]}, ValueError, "seq_lens[0] is 5: expected 1 (queries) to 4 (room)"),
    ],
)
def test_wrong_pages_are_named(arguments: Any, error: type[Exception], message: str) -> None:
    good = {"q": Q, "k_cache": PAGES, "v_cache": PAGES, "seq_lens": [4, 4], "block_table": TABLE}
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        decode(**{**good, **arguments})


def test_pages_that_are_not_needed_are_not_looked_at(array: Any) -> None:
    table = array([[0, 99], [2, -7]], "int64")
    pages = array(PAGES)
    out, lse = decode(array(Q), pages, pages, [2, 1], block_table=table, return_lse=True)
    assert_array_equal(out, np.ones((2, 4, 1, 6)))
    assert bool((lse > -inf).all())
