"""Packed sequences: each is alone, as if the others were not there."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from attnref import attention, attention_varlen, masks

LENGTHS = [(3, 5), (0, 2), (4, 4), (2, 1)]  # queries and keys of each sequence


@pytest.mark.parametrize("options", [{}, {"causal": True}, {"window": (1, 0), "scale": 0.4}])
def test_each_sequence_is_attention_on_its_own(array: Any, draw: Any, options: Any) -> None:
    ends_q, ends_k = (np.cumsum([0, *n]) for n in zip(*LENGTHS, strict=True))
    q, k, v = draw((ends_q[-1], 4, 6), (ends_k[-1], 2, 6), (ends_k[-1], 2, 3))
    out = attention_varlen(
        *map(array, (q, k, v)), array(ends_q, "int64"), array(ends_k, "int64"), **options
    )
    assert tuple(out.shape) == (9, 4, 3)
    for b in range(len(LENGTHS)):
        rows, keys = slice(*ends_q[b : b + 2]), slice(*ends_k[b : b + 2])
        alone = (x.swapaxes(0, 1) for x in (q[rows], k[keys], v[keys]))
        assert_allclose(out[rows].swapaxes(0, 1), attention(*alone, **options), rtol=1e-13)


def test_packing_is_a_document_mask(array: Any, draw: Any) -> None:
    q, k, v = draw((7, 2, 4), (7, 2, 4), (7, 2, 4))
    ends = np.array([0, 3, 7])
    ids = np.array([0, 0, 0, 1, 1, 1, 1])
    out = attention_varlen(*map(array, (q, k, v)), *2 * [array(ends, "int64")], causal=True)
    heads_first = (x.swapaxes(0, 1) for x in (q, k, v))
    expected = attention(*heads_first, mask=masks.document(ids, ids), causal=True)
    assert_allclose(out.swapaxes(0, 1), expected, rtol=1e-13)


def test_there_may_be_no_sequence(array: Any) -> None:
    x, ends = array(np.ones((0, 2, 4))), array([0], "int64")
    assert tuple(attention_varlen(x, x, x, ends, ends).shape) == (0, 2, 4)


X, ENDS = np.ones((4, 2, 3)), np.array([0, 4])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"q": X[0]}, ValueError, "q has shape (2, 3): expected (tokens, H, D)"),
        ({"k": [1.0]}, TypeError, "k is a list: expected an array"),
        ({"v": torch.ones(4, 2, 3)}, TypeError, "v is a torch.Tensor on cpu: expected a numpy"),
        (
            {"cu_seqlens_q": ENDS * 1.0},
            TypeError,
            "cu_seqlens_q has dtype float64: expected integr",
        ),
        (
            {"cu_seqlens_q": ENDS[None]},
            ValueError,
            "cu_seqlens_q has shape (1, 2): expected (B + 1",
        ),
        (
            {"cu_seqlens_k": ENDS - 1},
            ValueError,
            "cu_seqlens_k is [-1, 3]: expected to rise from 0",
        ),
        (
            {"cu_seqlens_k": np.array([0, 3, 2, 4])},
            ValueError,
            "cu_seqlens_k is [0, 3, 2, 4]: expected to rise from 0 to the 4 tokens",
        ),
        (
            {"cu_seqlens_k": np.array([0, 2, 4])},
            ValueError,
            "cu_seqlens_k has 3 entries: expected as many as cu_seqlens_q, 2",
        ),
    ],
)
def test_wrong_arguments_are_named(arguments: Any, error: type[Exception], message: str) -> None:
    good = {"q": X, "k": X, "v": X, "cu_seqlens_q": ENDS, "cu_seqlens_k": ENDS}
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        attention_varlen(**{**good, **arguments})
