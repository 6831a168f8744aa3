"""Many heads, against torch.nn.MultiheadAttention and against loops over heads."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from attnref import attention, join_heads, masks, multi_head_attention, split_heads


def torch_heads(d_model: int, heads: int, *, kdim: int | None = None, bias: bool = False) -> Any:
    torch.manual_seed(0)
    made = torch.nn.MultiheadAttention(
        d_model, heads, bias=bias, kdim=kdim, vdim=kdim, batch_first=True, dtype=torch.float64
    )
    return made.eval().requires_grad_(False)


@pytest.mark.parametrize("causal", [False, True])
def test_self_attention_agrees_with_torch_given_its_weights(draw: Any, causal: bool) -> None:
    theirs = torch_heads(12, 3)
    x = torch.tensor(draw((2, 5, 12))[0])
    w_q, w_k, w_v = (w.T for w in theirs.in_proj_weight.chunk(3))
    ignored = ~torch.tensor(masks.causal(5)) if causal else None  # its True is left out
    expected, _ = theirs(x, x, x, attn_mask=ignored, need_weights=False)
    out = multi_head_attention(x, w_q, w_k, w_v, theirs.out_proj.weight.T, heads=3, causal=causal)
    assert_allclose(out, expected, rtol=1e-12, atol=1e-14)


def test_cross_attention_agrees_with_torch_given_its_weights(draw: Any) -> None:
    theirs = torch_heads(8, 2, kdim=6)
    x, context = (torch.tensor(y) for y in draw((2, 3, 8), (2, 7, 6)))
    ws = [w.T for w in (theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight)]
    expected, _ = theirs(x, context, context, need_weights=False)
    out = multi_head_attention(x, *ws, theirs.out_proj.weight.T, heads=2, context=context)
    assert_allclose(out, expected, rtol=1e-12, atol=1e-14)


def test_a_bias_is_a_row_for_a_coordinate_that_is_always_one(draw: Any) -> None:
    theirs = torch_heads(8, 2, bias=True)
    torch.nn.init.normal_(theirs.in_proj_bias)
    torch.nn.init.normal_(theirs.out_proj.bias)
    x = torch.tensor(draw((4, 8))[0])
    expected, _ = theirs(x, x, x, need_weights=False)
    with_one = torch.cat([x, torch.ones(4, 1, dtype=torch.float64)], dim=-1)
    parts = zip(theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3), strict=True)
    ws = [torch.cat([w.T, b[None]]) for w, b in parts]
    out = multi_head_attention(with_one, *ws, theirs.out_proj.weight.T, heads=2)
    assert_allclose(out + theirs.out_proj.bias, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_one_wide_projection_is_many_narrow_ones(array: Any, draw: Any, kv_heads: int) -> None:
    H, D, Dv = 4, 3, 2
    x, w_q, w_k, w_v, w_o = draw(
        (5, 6), (6, H * D), (6, kv_heads * D), (6, kv_heads * Dv), (H * Dv, 7)
    )
    options: Any = {"window": (2, 1), "scale": 0.6, "softcap": 3.0}
    out = multi_head_attention(
        *map(array, (x, w_q, w_k, w_v, w_o)), heads=H, kv_heads=kv_heads, **options
    )
    expected = np.zeros((5, 7))
    for h in range(H):
        g = h * kv_heads // H
        q, k = x @ w_q[:, h * D : (h + 1) * D], x @ w_k[:, g * D : (g + 1) * D]
        o = attention(q, k, x @ w_v[:, g * Dv : (g + 1) * Dv], **options)
        expected += o @ w_o[h * Dv : (h + 1) * Dv]  # W_O adds what the heads say
    assert_allclose(out, expected, rtol=1e-12, atol=1e-13)


def test_a_mask_for_each_sequence(array: Any, draw: Any) -> None:
    x, *ws = draw((2, 4, 6), (6, 6), (6, 6), (6, 6), (6, 6))
    mask = masks.padding(array([4, 2], "int64"), 4)
    out = multi_head_attention(array(x), *map(array, ws), heads=2, mask=mask)
    alone = multi_head_attention(array(x[1, :2]), *map(array, ws), heads=2)
    assert_allclose(out[1, :2], alone, rtol=1e-12, atol=1e-13)


def test_heads_own_neighbouring_columns_and_tokens_stay_tokens(array: Any) -> None:
    x = np.arange(12.0).reshape(2, 6)
    split = split_heads(array(x), 3)
    assert_array_equal(split, [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]])
    assert_array_equal(join_heads(split), x)


def test_splitting_and_joining_are_inverse(array: Any, draw: Any) -> None:
    (x,) = draw((2, 3, 5, 8))
    assert_array_equal(join_heads(split_heads(array(x), 4)), x)


def test_gradients_are_the_numerical_derivatives(draw: Any) -> None:
    inputs = [
        torch.tensor(y, requires_grad=True) for y in draw((3, 4), (4, 4), (4, 2), (4, 2), (4, 3))
    ]
    call = lambda *y: multi_head_attention(*y, heads=2, kv_heads=1, causal=True)  # noqa: E731
    assert torch.autograd.gradcheck(call, inputs)


GOOD = {"x": (5, 6), "w_q": (6, 8), "w_k": (6, 4), "w_v": (6, 4), "w_o": (8, 6)}


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("x", (6,), "expected (…, L, d_model)"),
        ("w_q", (5, 8), "expected as many rows as x has columns, 6"),
        ("w_k", (6,), "expected as many rows as context has columns, 6"),
        ("w_v", (2, 5, 4), "expected as many rows as context has columns, 6"),
        ("w_o", (4, 6), "expected as many rows as all heads have columns, 8"),
    ],
)
def test_a_wrong_shape_is_named_and_explained(
    array: Any, name: str, shape: tuple[int, ...], expected: str
) -> None:
    arrays = {n: array(np.ones(s)) for n, s in {**GOOD, name: shape}.items()}
    with pytest.raises(ValueError, match=f"^{re.escape(f'{name} has shape {shape}: {expected}')}$"):
        multi_head_attention(**arrays, heads=2, kv_heads=1)


def test_other_wrong_arguments_are_named(array: Any) -> None:
    arrays = {n: array(np.ones(s)) for n, s in GOOD.items()}
    with pytest.raises(TypeError, match=r"^heads is 2\.0: expected a whole number$"):
        multi_head_attention(**arrays, heads=2.0)  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"^x has shape .*: its last axis must be a multiple of the"
    ):
        split_heads(arrays["x"], 4)
    with pytest.raises(ValueError, match=r"^heads is 0: expected 1 or more$"):
        split_heads(arrays["x"], 0)
    with pytest.raises(ValueError, match=r"^x has shape \(5, 6\): expected \(…, H, n, D\)$"):
        join_heads(arrays["x"])
    for name in ("x", "context", "w_q", "w_k", "w_v", "w_o"):
        with pytest.raises(TypeError, match=f"^{name} is a list: expected an array$"):
            multi_head_attention(**{**arrays, name: [1.0]}, heads=2, kv_heads=1)
    narrow = {**arrays, "w_o": array(np.ones((8, 6)), "float32")}
    with pytest.raises(TypeError, match=r"^w_o has dtype .*float32: expected x's .*float64$"):
        multi_head_attention(**narrow, heads=2, kv_heads=1)
