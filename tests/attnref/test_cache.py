"""A cache changes no output: token by token, in pieces, or all at once."""

import itertools
import re
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnref import Cache, PagedCache, attention


def fed(cache: Cache, q: Any, k: Any, v: Any, cuts: list[int], array: Any, **options: Any) -> Any:
    """The outputs of all tokens, fed to the cache in pieces."""
    ends = [0, *cuts, q.shape[-2]]
    pieces = [slice(a, b) for a, b in itertools.pairwise(ends)]
    outs = [cache.attend(*(array(x[..., at, :]) for x in (q, k, v)), **options) for at in pieces]
    return np.concatenate([np.asarray(out) for out in outs], axis=-2)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    cuts=st.lists(st.integers(0, 9), max_size=9).map(sorted),
    window=st.sampled_from([None, 1, 3, 20]),
    seed=st.integers(0, 2**32 - 1),
)
def test_decoding_is_chunked_prefill_is_recomputing(
    array: Any, cuts: list[int], window: int | None, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    q, k, v = (rng.normal(size=s) for s in [(2, 4, 9, 6), (2, 2, 9, 6), (2, 2, 9, 3)])
    near = None if window is None else (window - 1, 0)
    whole = attention(q, k, v, causal=True, window=near, scale=0.3, softcap=2.0)
    cache = Cache(window)
    out = fed(cache, q, k, v, cuts, array, scale=0.3, softcap=2.0)
    assert_allclose(out, whole, rtol=1e-12, atol=1e-13)
    assert len(cache) == min(9, window or 9)
    assert_array_equal(cache.k, k[..., 9 - len(cache) :, :])


def test_the_running_example_token_by_token(array: Any) -> None:
    q = np.array([[1.0, 0], [0, 1], [1, 1]])
    v = np.array([[1.0, 0], [0, 2], [3, 1]])
    cache = Cache()
    assert len(cache) == 0
    out = fed(cache, q, q, v, [1, 2], array)
    assert len(cache) == 3
    assert_array_equal(out.round(4), [[1, 0], [0.3302, 1.3395], [1.7587, 1.0]])
    assert np.asarray(cache.k).size + np.asarray(cache.v).size == 12


def test_gradients_flow_through_the_cache(draw: Any) -> None:
    inputs = [torch.tensor(x, requires_grad=True) for x in draw((4, 2), (4, 2), (4, 2))]

    def stepwise(q: Any, k: Any, v: Any) -> Any:
        cache = Cache(window=3)
        return torch.cat([cache.attend(q[i : i + 1], k[i : i + 1], v[i : i + 1]) for i in range(4)])

    assert torch.autograd.gradcheck(stepwise, inputs)


def test_a_refused_step_leaves_the_cache_as_it_was(array: Any, draw: Any) -> None:
    q, k, v = map(array, draw((2, 3, 4), (2, 3, 4), (2, 3, 4)))
    cache = Cache()
    cache.attend(q, k, v)
    before = cache.k
    wrong = [
        (
            (q, k[:, :2], v[:, :2]),
            ValueError,
            "k has shape (2, 2, 4): expected one for each query, 3",
        ),
        (
            (q[:1], k[:1], v[:1]),
            ValueError,
            "k has shape (1, 3, 4): expected the cache's shape, here (2, any, 4)",
        ),
        (
            (q, k, v[..., :3]),
            ValueError,
            "v has shape (2, 3, 3): expected the cache's shape, here (2, any, 4)",
        ),
        ((q, k, [1.0]), TypeError, "v is a list: expected an array"),
    ]
    for inputs, error, message in wrong:
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            cache.attend(*inputs)
        assert cache.k is before
    narrow = [array(x, "float32") for x in (q, k, v)]
    with pytest.raises(TypeError, match=r"^k has dtype .*float32: expected the cache's .*float64$"):
        cache.attend(*narrow)
    with pytest.raises(ValueError, match=r"^window is 0: expected 1 or more$"):
        Cache(window=0)


def test_pages_hold_what_was_appended_in_order(array: Any, draw: Any) -> None:
    k, v = draw((2, 8, 4), (2, 8, 5))
    cache = PagedCache(6, 3, 2, 4, 5, like=array(k))
    first, second = cache.add(), cache.add()
    for start, stop in [(0, 1), (1, 5), (5, 5), (5, 8)]:  # the two sequences grow in turns
        for sequence, part in ((first, slice(start, stop)), (second, slice(0, min(stop, 1) - 0))):
            if sequence == first or start == 0:
                cache.append(sequence, array(k[:, part]), array(v[:, part]))
    assert cache.seq_lens == [8, 1]
    assert_array_equal(cache.block_table, [[0, 2, 3], [1, -1, -1]])
    pages, table = np.asarray(cache.k), np.asarray(cache.block_table)
    rows = np.concatenate([pages[p] for p in table[first]])[:8]
    assert_array_equal(rows.swapaxes(0, 1), k)
    assert_array_equal(np.asarray(cache.v)[1, 0], v[:, 0])


def test_dropped_pages_are_handed_out_again(array: Any, draw: Any) -> None:
    k, v = map(array, draw((1, 4, 2), (1, 4, 2)))
    cache = PagedCache(2, 2, 1, 2, like=k)
    sequence = cache.add()
    cache.append(sequence, k, v)
    other = cache.add()
    message = "sequence 1 needs 1 more pages of 2 tokens, and 0 are free: make the cache larger"
    with pytest.raises(MemoryError, match=f"^{message}"):
        cache.append(other, k[:, :1], v[:, :1])
    assert cache.seq_lens == [4, 0]
    assert cache.tables == [[0, 1], []]
    cache.drop(sequence)
    assert cache.seq_lens == [0, 0]
    cache.append(other, k, v)
    assert cache.tables == [[], [0, 1]]


def test_a_page_cache_without_sequences_has_an_empty_table(array: Any) -> None:
    assert tuple(PagedCache(2, 2, 1, 2, like=array(0.0)).block_table.shape) == (0, 0)


def test_wrong_appends_are_named_and_write_nothing(array: Any, draw: Any) -> None:
    k, v = map(array, draw((2, 3, 4), (2, 3, 4)))
    cache = PagedCache(2, 2, 2, 4, like=k)
    sequence = cache.add()
    for inputs, error, message in [
        ((1, k, v), ValueError, "sequence is 1: expected one of 1"),
        (
            (sequence, k[:1], v),
            ValueError,
            "k has shape (1, 3, 4): expected (Hkv, n, D), here (2, a",
        ),
        ((sequence, k, v[:, :2]), ValueError, "v has shape (2, 2, 4): expected (Hkv, n, Dv), here"),
        ((sequence, k, [1.0]), TypeError, "v is a list: expected an array"),
        ((sequence, array(k, "float32"), v), TypeError, "k has dtype "),
    ]:
        with pytest.raises(error, match=f"^{re.escape(message)}"):
            cache.append(*inputs)
        assert cache.seq_lens == [0]
        assert cache.free == [0, 1]
    with pytest.raises(ValueError, match=r"^page is 0: expected 1 or more$"):
        PagedCache(2, 0, 2, 4, like=k)
    with pytest.raises(TypeError, match=r"^like is a list: expected an array$"):
        PagedCache(2, 2, 2, 4, like=[1.0])
