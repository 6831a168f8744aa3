"""Tiles change nothing: forward against the definition, backward against autograd."""

import re
from math import inf
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnref import attention, masks, tiled_attention, tiled_attention_backward

SIZES = st.sampled_from([1, 2, 3, 64])


@st.composite
def calls(draw: st.DrawFn) -> tuple[Any, ...]:
    """Arrays, options and a tile, with rows that see nothing among them."""
    B, Hkv, G = draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(st.integers(1, 3))
    L, S = draw(st.integers(0, 6)), draw(st.integers(0, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shapes = [(B, Hkv * G, L, 4), (B, Hkv, S, 4), (B, Hkv, S, 3)]
    options: dict[str, Any] = {
        "causal": draw(st.booleans()),
        "window": draw(st.sampled_from([None, (0, 0), (2, 1)])),
        "softcap": draw(st.sampled_from([None, 0.8])),
        "scale": draw(st.sampled_from([None, 1.3])),
    }
    shape = draw(st.sampled_from([(L, S), (B, 1, L, S), (1, S), (L, 1), ()]))
    allowed = rng.random(shape) < 0.6
    bias = np.where(allowed, rng.normal(size=shape), -inf)
    options["mask"] = draw(st.sampled_from([None, allowed, bias]))
    q, k, v = (2 * rng.normal(size=s) for s in shapes)
    return q, k, v, options, (draw(SIZES), draw(SIZES)), rng


def in_library(array: Any, options: dict[str, Any]) -> dict[str, Any]:
    mask = options["mask"]
    return options if mask is None else {**options, "mask": array(mask, str(mask.dtype))}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(call=calls())
def test_no_tile_changes_the_output_or_its_lse(array: Any, call: Any) -> None:
    q, k, v, options, tile, _ = call
    expected, expected_lse = attention(q, k, v, **options, return_lse=True)
    inputs = map(array, (q, k, v))
    out, lse = tiled_attention(*inputs, tile=tile, **in_library(array, options), return_lse=True)
    assert_allclose(out, expected, rtol=1e-11, atol=1e-12)
    assert_allclose(lse, expected_lse, rtol=1e-11, atol=1e-12)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(call=calls())
def test_the_backward_pass_gives_the_gradients_of_autograd(array: Any, call: Any) -> None:
    q, k, v, options, tile, rng = call
    tensors = [torch.tensor(x, requires_grad=True) for x in (q, k, v)]
    as_torch = lambda x, dtype: torch.tensor(x)  # noqa: E731
    out = attention(*tensors, **in_library(as_torch, options))
    slope = rng.normal(size=tuple(out.shape))
    expected = torch.autograd.grad(out, tensors, torch.tensor(slope))
    options = in_library(array, options)
    inputs = [array(x) for x in (q, k, v)]
    out, lse = tiled_attention(*inputs, tile=tile, **options, return_lse=True)
    found = tiled_attention_backward(array(slope), *inputs, out, lse, tile=tile, **options)
    for dx, x, exact in zip(found, inputs, expected, strict=True):
        assert tuple(dx.shape) == tuple(x.shape)
        assert_allclose(dx, exact, rtol=1e-10, atol=1e-11)


def test_the_forward_pass_is_differentiable_itself(draw: Any) -> None:
    inputs = [torch.tensor(x, requires_grad=True) for x in draw((2, 3, 2), (1, 4, 2), (1, 4, 2))]
    call = lambda *x: tiled_attention(*x, tile=(2, 3), causal=True)  # noqa: E731
    assert torch.autograd.gradcheck(call, inputs)


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_scores_of_ten_thousand_do_not_overflow(array: Any, order: slice) -> None:
    q, k = np.array([[1.0]]), np.array([[-1e4], [0.0], [1e4], [9999.0]])[order].copy()
    v = np.array([[1.0], [2.0], [3.0], [4.0]])[order].copy()
    out, lse = tiled_attention(array(q), array(k), array(v), tile=(1, 1), return_lse=True)
    assert_allclose(out, [[3 + 1 / (1 + np.e)]])
    assert_allclose(lse, [1e4 + np.log1p(np.exp(-1))])


def test_tiles_that_nobody_sees_are_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    import attnref.tiled as file

    seen: list[tuple[int, int]] = []
    whole = file.capped_scores

    def counted(q: Any, k: Any, *options: Any) -> Any:
        seen.append((q.shape[-2], k.shape[-2]))
        return whole(q, k, *options)

    monkeypatch.setattr(file, "capped_scores", counted)
    x = np.ones((64, 2))
    tiled_attention(x, x, x, tile=(8, 8))
    assert len(seen) == 64
    seen.clear()
    tiled_attention(x, x, x, tile=(8, 8), causal=True)
    assert len(seen) == 8 * 9 // 2
    seen.clear()
    tiled_attention(x, x, x, tile=(8, 8), causal=True, window=(8, 0))
    assert len(seen) == 8 + 7  # from eight back: the diagonal and one before it
    seen.clear()
    tiled_attention(x, x, x, tile=(8, 8), window=(0, 0))
    assert len(seen) == 8


def test_half_precision_is_summed_in_float32(array: Any, draw: Any) -> None:
    q, k, v = (array(x, "float16") for x in draw((9, 4), (9, 4), (9, 4)))
    expected = attention(q, k, v)
    out, lse = tiled_attention(q, k, v, tile=(2, 2), return_lse=True)
    assert out.dtype == q.dtype
    assert str(lse.dtype).endswith("float32")
    assert_allclose(np.asarray(out, float), np.asarray(expected, float), rtol=2**-9, atol=1e-6)


Q = np.ones((2, 4, 3))
GOOD = {"d_out": Q, "q": Q, "k": Q, "v": Q, "out": Q, "lse": Q[..., 0]}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"tile": 4}, TypeError, "tile is 4: expected a pair (bl, bs)"),
        ({"tile": (0, 4)}, ValueError, "tile[0] is 0: expected 1 or more"),
        ({"tile": (4, -1)}, ValueError, "tile[1] is -1: expected 1 or more"),
        ({"k": Q[..., :2]}, ValueError, "k has shape (2, 4, 2): its last axis must be q's 3"),
        (
            {"mask": masks.causal(3)},
            ValueError,
            "mask has shape (3, 3): it must broadcast to (2, 4",
        ),
        ({"softcap": 0}, ValueError, "softcap is 0: expected a finite number above 0"),
        ({"scale": "1"}, TypeError, "scale is '1': expected a number"),
        ({"window": (1, -1)}, ValueError, "right is -1: expected 0 or more"),
        (
            {"d_out": Q[:1]},
            ValueError,
            "d_out has shape (1, 4, 3): expected (…, Hq, L, Dv), here (",
        ),
        (
            {"out": Q[..., :2]},
            ValueError,
            "out has shape (2, 4, 2): expected (…, Hq, L, Dv), here (",
        ),
        ({"out": [1.0]}, TypeError, "out is a list: expected an array"),
        ({"lse": Q}, ValueError, "lse has shape (2, 4, 3): expected (…, Hq, L), here (2, 4)"),
    ],
)
def test_wrong_arguments_are_named(arguments: Any, error: type[Exception], message: str) -> None:
    calls = [tiled_attention_backward]
    if not arguments.keys() & {"d_out", "out", "lse"}:
        calls.append(lambda d_out, out, lse, **rest: tiled_attention(**rest))
    for call in calls:
        with pytest.raises(error, match=f"^{re.escape(message)}"):
            call(**{**GOOD, **arguments})


def test_no_queries_give_no_rows(array: Any) -> None:
    q, k = array(np.ones((2, 0, 3))), array(np.ones((2, 4, 3)))
    out, lse = tiled_attention(q, k, k, return_lse=True)
    assert_array_equal(out, np.ones((2, 0, 3)))
    assert tuple(lse.shape) == (2, 0)
