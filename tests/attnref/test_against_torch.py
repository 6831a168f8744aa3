"""Against torch's own attention and its numerical derivatives, in float64."""

from math import inf
from typing import Any

import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch.nn.functional import scaled_dot_product_attention

from attnref import attention, masks


def tensors(draw: Any, *shapes: tuple[int, ...]) -> list[torch.Tensor]:
    return [torch.tensor(x, requires_grad=True) for x in draw(*shapes)]


def agree(inputs: list[torch.Tensor], ours: torch.Tensor, theirs: torch.Tensor) -> None:
    """Outputs and gradients are the same to 12 digits."""
    assert_allclose(ours.detach(), theirs.detach(), rtol=1e-12, atol=1e-14)
    slope = torch.linspace(-1, 2, ours.numel(), dtype=torch.float64).reshape(ours.shape)
    for a, b in zip(
        torch.autograd.grad(ours, inputs, slope),
        torch.autograd.grad(theirs, inputs, slope),
        strict=True,
    ):
        assert_allclose(a, b, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("scale", [None, 0.25])
@pytest.mark.parametrize("causal", [False, True])
def test_square_attention_agrees_with_sdpa(draw: Any, causal: bool, scale: float | None) -> None:
    q, k, v = qkv = tensors(draw, (2, 3, 7, 8), (2, 3, 7, 8), (2, 3, 7, 5))
    theirs = scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale)
    agree(qkv, attention(q, k, v, causal=causal, scale=scale), theirs)


def test_cross_attention_agrees_with_sdpa(draw: Any) -> None:
    q, k, v = qkv = tensors(draw, (2, 3, 4, 8), (2, 3, 9, 8), (2, 3, 9, 8))
    agree(qkv, attention(q, k, v), scaled_dot_product_attention(q, k, v))


@pytest.mark.parametrize("causal", [False, True])
def test_grouped_heads_agree_with_sdpa(draw: Any, causal: bool) -> None:
    q, k, v = qkv = tensors(draw, (2, 6, 5, 4), (2, 2, 5, 4), (2, 2, 5, 4))
    theirs = scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)
    agree(qkv, attention(q, k, v, causal=causal), theirs)


@pytest.mark.parametrize("shape", [(4, 6), (2, 1, 4, 6), (1, 3, 4, 6), (2, 1, 1, 6)])
def test_masks_agree_with_sdpa_in_both_forms(draw: Any, shape: tuple[int, ...]) -> None:
    q, k, v = qkv = tensors(draw, (2, 3, 4, 8), (2, 3, 6, 8), (2, 3, 6, 8))
    bias = torch.tensor(draw(shape, seed=1)[0])
    mask = bias < 0.8
    mask[..., 0] = True  # a row without a key is tested elsewhere
    for form in (mask, bias, masks.to_bias(mask, torch.float64)):
        theirs = scaled_dot_product_attention(q, k, v, attn_mask=form)
        agree(qkv, attention(q, k, v, mask=form), theirs)


def test_a_bottom_right_causal_mask_agrees_with_sdpa_given_the_same_mask(draw: Any) -> None:
    q, k, v = qkv = tensors(draw, (1, 2, 3, 4), (1, 2, 8, 4), (1, 2, 8, 4))
    allowed = torch.ones(3, 8, dtype=torch.bool).tril(diagonal=5)
    theirs = scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    agree(qkv, attention(q, k, v, causal=True), theirs)


GRADIENTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"causal": True},
    "window and softcap": {"window": (1, 0), "softcap": 0.7},
    "an empty row": {"mask": torch.tensor([[0, 0, 0, 0], [1, 0, 1, 1], [0, 1, 0, 0]]) > 0},
    "an empty bias row": {"mask": torch.tensor([[-inf] * 4, [0.3, 0.1, -inf, 0], [0, 0, 1, 2]])},
}


@pytest.mark.parametrize("options", GRADIENTS.values(), ids=GRADIENTS)
def test_gradients_are_the_numerical_derivatives(draw: Any, options: Any) -> None:
    q, k, v = tensors(draw, (1, 4, 3, 2), (1, 2, 4, 2), (1, 2, 4, 3))

    def out_and_finite_lse(q: Any, k: Any, v: Any) -> Any:
        out, lse = attention(q, k, v, **options, return_lse=True)
        return out, lse[lse > -inf]

    assert torch.autograd.gradcheck(out_and_finite_lse, (q, k, v))
    assert torch.autograd.gradgradcheck(lambda *x: attention(*x, **options), (q, k, v))


def test_an_additive_mask_has_gradients_too(draw: Any) -> None:
    q, k, v, bias = tensors(draw, (2, 3, 2), (2, 4, 2), (2, 4, 2), (3, 4))
    assert torch.autograd.gradcheck(lambda b: attention(q, k, v, mask=b), (bias,))


NOTHING_FOR_ROW_0: dict[str, tuple[int, dict[str, Any]]] = {  # S and options
    "Boolean": (3, {"mask": torch.tensor([[False] * 3, [True] * 3])}),
    "additive": (3, {"mask": torch.tensor([[-inf] * 3, [0.0] * 3])}),
    "causal with fewer keys": (1, {"causal": True}),
    "window outside the keys": (1, {"window": (2, 0)}),
    "mask and window exclude each other": (
        2,
        {"mask": torch.tensor([[False, True], [True, True]]), "window": (0, 0)},
    ),
    "no keys": (0, {}),
}


@pytest.mark.parametrize(("S", "options"), NOTHING_FOR_ROW_0.values(), ids=NOTHING_FOR_ROW_0)
@pytest.mark.parametrize("softcap", [None, 1.0])
def test_masked_rows_give_zero_gradients_not_nan(
    draw: Any, S: int, options: Any, softcap: float | None
) -> None:
    q, k, v = tensors(draw, (2, 2, 3), (1, S, 3), (1, S, 3))
    out, lse = attention(q, k, v, **options, softcap=softcap, return_lse=True)
    assert_array_equal(out[:, 0].detach(), torch.zeros(2, 3))
    assert_array_equal(lse[:, 0].detach(), [-inf, -inf])
    for y in (out, lse):
        grads = torch.autograd.grad(y, (q, k, v), torch.ones_like(y), True, allow_unused=True)
        assert_array_equal(grads[0][:, 0], torch.zeros(2, 3))
        assert all(g is None or bool(torch.isfinite(g).all()) for g in grads)
    from_row_0 = torch.autograd.grad(out[:, 0].sum() + lse[:, 0].sum(), (k, v))
    assert all(not g.any() for g in from_row_0)
