"""Packed sequences: each is alone, whatever lies next to it in memory."""

import re
from itertools import pairwise
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import attnref
import kernels
from tests.kernels.cases import DTYPES
from tests.kernels.judge import DEVICE, assert_as_good_as_torch, draw
from tests.kernels.layouts import amid_nan
from tests.kernels.pairwise import quick_or_deep

# Queries and keys of each sequence.
LENGTHS: dict[str, list[tuple[int, int]]] = {
    "several": [(5, 7), (40, 33), (1, 1), (16, 32), (17, 70)],
    "no queries": [(5, 7), (0, 9), (3, 3)],
    "no keys": [(5, 7), (9, 0), (3, 3)],
    "empty ones first and last": [(0, 0), (0, 4), (5, 7), (4, 0), (0, 0)],
    "more queries": [(70, 35), (35, 3)],
    "one": [(33, 33)],
    "nothing at all": [(0, 0), (0, 0)],
    "none": [],
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"causal": True},
    {"window": (3, 2)},
    {"window": (20, 0), "causal": True, "scale": -0.4},
]


def cumulative(lengths: list[int], dtype: torch.dtype = torch.int32) -> torch.Tensor:
    return torch.tensor([0, *lengths], device=DEVICE).cumsum(0).to(dtype)


def ends(lengths: list[tuple[int, int]], dtype: torch.dtype = torch.int32) -> list[torch.Tensor]:
    return [cumulative([pair[at] for pair in lengths], dtype) for at in (0, 1)]


def same_sequence(ends_q: torch.Tensor, ends_k: torch.Tensor, options: Any) -> torch.Tensor:
    """The mask by which attention over all is attention within each: (tokens, keys)."""
    pairs = torch.zeros(int(ends_q[-1]), int(ends_k[-1]), dtype=torch.bool, device=DEVICE)
    for (q_from, q_to), (k_from, k_to) in zip(
        pairwise(ends_q.tolist()), pairwise(ends_k.tolist()), strict=True
    ):
        part = pairs[q_from:q_to, k_from:k_to]
        part[...] = True
        if options.get("causal"):
            part &= attnref.masks.causal(*part.shape, like=part)
        if "window" in options:
            part &= attnref.masks.window(*part.shape, *options["window"], like=part)
    return pairs


def assert_right(
    inputs: Any, lengths: Any, dtype: torch.dtype = torch.int32, **options: Any
) -> None:
    """inputs: q, k and v with heads first, as attention takes them."""
    ends_q, ends_k = ends(lengths, dtype)

    def call(q: Any, k: Any, v: Any, mask: Any) -> Any:
        packed = (x.transpose(0, 1) for x in (q, k, v))
        return kernels.attention_varlen(*packed, ends_q, ends_k, **options).transpose(0, 1)

    scale = {"scale": options["scale"]} if "scale" in options else {}
    mask = same_sequence(ends_q, ends_k, options)
    assert_as_good_as_torch(*inputs, mask=mask, call=call, **scale)


def inputs(lengths: Any, Hq: int = 4, Hkv: int = 2, dtype: str = "float32") -> list[torch.Tensor]:
    tokens, keys = (sum(pair[at] for pair in lengths) for at in (0, 1))
    return draw((Hq, tokens, 20), (Hkv, keys, 20), (Hkv, keys, 12), dtype=dtype)


@pytest.mark.parametrize(
    ("lengths", "options", "dtype"),
    quick_or_deep({"lengths": [*LENGTHS], "options": OPTIONS, "dtype": DTYPES}),
)
def test_each_sequence_is_attention_on_its_own(lengths: Any, options: Any, dtype: str) -> None:
    assert_right(inputs(LENGTHS[lengths], dtype=dtype), LENGTHS[lengths], **options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_small_tiles_stop_at_the_end_of_a_sequence(set_tile: Any, options: Any) -> None:
    set_tile(16, 32)
    lengths = LENGTHS["several"]
    assert_right(inputs(lengths, 2, 1), lengths, torch.int64, **options)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_where_sequences_end_may_be_told_in_either_integer_and_in_steps(dtype: Any) -> None:
    lengths = LENGTHS["several"]
    q, k, v = (x.transpose(0, 1) for x in inputs(lengths))
    plain = ends(lengths, dtype)
    in_steps = [torch.stack([x, x * 0 - 1], -1)[:, 0] for x in plain]
    expected = attnref.attention_varlen(q, k, v, *plain)
    for given_ends in (plain, in_steps):
        out = kernels.attention_varlen(q, k, v, *given_ends)
        torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_nan_in_one_sequence_never_leaks_into_its_neighbours(options: Any) -> None:
    lengths = [(5, 7), (9, 11), (4, 6)]
    clean = [x.transpose(0, 1).requires_grad_() for x in inputs(lengths)]
    spoilt = [x.detach().clone() for x in clean]
    for x, (begin, end) in zip(spoilt, [(5, 14), (7, 18), (7, 18)], strict=True):
        x[begin:end] = torch.nan
        x.requires_grad_()
    upstream = draw((18, 4, 12))[0]
    both = []
    for each in (clean, spoilt):
        out = kernels.attention_varlen(*each, *ends(lengths), **options)
        given = upstream.clone()
        if each is spoilt:
            given[5:14] = torch.nan
        both.append([out, *torch.autograd.grad(out, each, given)])
    for name, x, y, middle in zip(
        ("out", "dq", "dk", "dv"), *both, [(5, 14), (5, 14), (7, 18), (7, 18)], strict=True
    ):
        outside = torch.ones(len(x), dtype=torch.bool)
        outside[slice(*middle)] = False
        assert torch.equal(x[outside], y[outside]), name


def test_a_fused_projection_is_read_where_it_is() -> None:
    (qkv,) = draw((22, 8 * 16))
    q, k, v = (x.unflatten(-1, (-1, 16)).transpose(0, 1) for x in qkv.split([64, 32, 32], -1))
    assert_right([q, k, v], [(5, 5), (0, 0), (17, 17)], causal=True)


def test_memory_around_the_tokens_is_not_read() -> None:
    lengths = LENGTHS["several"]
    assert_right([amid_nan(x) for x in inputs(lengths)], lengths, causal=True)


def test_the_output_has_its_heads_inside_like_the_queries() -> None:
    q, k, v = (x.transpose(0, 1).contiguous() for x in inputs([(5, 7)]))
    assert kernels.attention_varlen(q, k, v, *ends([(5, 7)])).is_contiguous()


anything = given(
    lengths=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4),
    heads=st.sampled_from([(1, 1), (2, 1), (3, 1), (4, 2)]),
    options=st.sampled_from(OPTIONS),
    dtype=st.sampled_from(DTYPES),
)


@settings(max_examples=8, deadline=None, derandomize=True)
@anything
def test_any_lengths_come_out_right(lengths: Any, heads: Any, options: Any, dtype: str) -> None:
    assert_right(inputs(lengths, *heads, dtype=dtype), lengths, **options)


@pytest.mark.deep
@settings(max_examples=150, deadline=None, derandomize=True)
@anything
def test_any_lengths_come_out_right_many_times_over(
    lengths: Any, heads: Any, options: Any, dtype: str
) -> None:
    assert_right(inputs(lengths, *heads, dtype=dtype), lengths, **options)


WRONG: dict[str, dict[str, Any]] = {
    "rank": {"q": torch.ones(5, 8)},
    "floating ends": {"cu_seqlens_q": torch.tensor([0.0, 5.0])},
    "ends of rank 2": {"cu_seqlens_k": torch.tensor([[0, 7]])},
    "not from 0": {"cu_seqlens_q": torch.tensor([1, 5])},
    "not to the last": {"cu_seqlens_k": torch.tensor([0, 6])},
    "falling": {"cu_seqlens_q": torch.tensor([0, 4, 3, 5]), "cu_seqlens_k": torch.tensor([0] * 4)},
    "not as many": {"cu_seqlens_q": torch.tensor([0, 2, 5])},
    "none": {"cu_seqlens_q": torch.tensor([], dtype=torch.int32)},
    "heads": {"k": torch.ones(7, 3, 8), "v": torch.ones(7, 3, 8)},
    "window": {"window": (1,)},
    "negative window": {"window": (-1, 0)},
    "scale": {"scale": float("nan")},
    "dtype": {"k": torch.ones(7, 2, 8, dtype=torch.float16)},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_refused_in_the_words_of_attnref(wrong: Any) -> None:
    arguments = {
        "q": torch.ones(5, 4, 8),
        "k": torch.ones(7, 2, 8),
        "v": torch.ones(7, 2, 8),
        "cu_seqlens_q": torch.tensor([0, 5]),
        "cu_seqlens_k": torch.tensor([0, 7]),
    } | wrong
    arguments = {
        n: x.to(DEVICE) if isinstance(x, torch.Tensor) else x for n, x in arguments.items()
    }
    with pytest.raises((TypeError, ValueError)) as theirs:
        attnref.attention_varlen(**arguments)
    with pytest.raises(theirs.type, match=f"^{re.escape(str(theirs.value))}$"):
        kernels.attention_varlen(**arguments)


def test_ends_that_are_no_tensor_are_refused() -> None:
    x = torch.ones(5, 2, 8, device=DEVICE)
    message = "cu_seqlens_k is a list: expected a torch.Tensor"
    with pytest.raises(TypeError, match=f"^{message}$"):
        kernels.attention_varlen(x, x, x, cumulative([5]), [0, 5])  # type: ignore[arg-type]
