"""Latent attention: naive, absorbed and decoded, against heads that are made one by one."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from attnref import absorb, decode, mla, mla_decode, rope

H, L, S, D, R, C, DV = 3, 4, 7, 5, 2, 6, 4
SHAPES = [(2, H, L, D), (2, H, L, R), (2, S, C), (2, S, R), (H, C, D), (H, C, DV)]
NAMES = ("q", "q_rope", "latent", "k_rope", "w_uk", "w_uv")


@pytest.mark.parametrize("form", ["naive", "absorbed"])
@pytest.mark.parametrize("options", [{}, {"causal": True}, {"scale": 0.7}, {"mask": True}])
def test_both_forms_are_attention_in_each_head(
    array: Any, draw: Any, defined: Any, form: str, options: Any
) -> None:
    q, q_rope, latent, k_rope, w_uk, w_uv = drawn = draw(*SHAPES)
    mask = np.random.default_rng(1).random((L, S)) < 0.6
    out = mla(
        *map(array, drawn),
        form=form,
        **{k: array(mask, "bool") if k == "mask" else o for k, o in options.items()},
    )
    options = {**options, "mask": mask if "mask" in options else np.ones((L, S), dtype=bool)}
    for b in range(2):
        for h in range(H):
            k = np.concatenate([latent[b] @ w_uk[h], k_rope[b]], axis=-1)
            row = (np.concatenate([q[b, h], q_rope[b, h]], axis=-1), k, latent[b] @ w_uv[h])
            expected, *_ = defined(*row, **options)
            assert_allclose(out[b, h], expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("splits", [None, 3])
@pytest.mark.parametrize("page", [None, 2])
def test_decoding_over_latents_is_the_absorbed_form(
    array: Any, draw: Any, splits: int | None, page: int | None
) -> None:
    q, q_rope, latent, k_rope, w_uk, w_uv = map(array, draw(*SHAPES))
    expected = mla(q, q_rope, latent, k_rope, w_uk, w_uv, causal=True)
    absorbed = np.concatenate([absorb(q, w_uk), q_rope], axis=-1)
    kept = np.concatenate([latent, k_rope], axis=-1)  # (2, S, C + R)
    table = None
    if page:
        room = np.concatenate([kept, np.full((2, 1, C + R), np.nan)], axis=1)
        kept = room.reshape(8, page, C + R)
        table = array(np.arange(8).reshape(2, 4), "int64")
    out, lse = mla_decode(
        array(absorbed),
        array(kept),
        [S, S],
        rank=C,
        scale=(D + R) ** -0.5,
        block_table=table,
        splits=splits,
        return_lse=True,
    )
    assert tuple(lse.shape) == (2, H, L)
    assert_allclose(out @ w_uv, expected, rtol=1e-11, atol=1e-12)


def test_a_rotation_outside_the_latent_still_sees_only_distances(array: Any, draw: Any) -> None:
    q, q_rope, latent, k_rope, w_uk, w_uv = map(array, draw(*SHAPES))

    def at(shift: int) -> Any:
        turned_q = rope(q_rope, array(range(S - L + shift, S + shift), "int64"))
        turned_k = rope(k_rope, array(range(shift, S + shift), "int64"))
        return mla(q, turned_q, latent, turned_k, w_uk, w_uv, form="absorbed", causal=True)

    assert_allclose(at(100), at(0), rtol=1e-10, atol=1e-12)


def test_a_rotation_of_the_made_keys_could_not_be_absorbed(draw: Any) -> None:
    """Why the rotated part stands apart: turning differs from key to key, and w_uk does not."""
    q, _, latent, _, w_uk, _ = draw(*SHAPES)
    keys = latent[0] @ w_uk[0][:, :4]  # (S, 4)
    turned = rope(keys, np.arange(S)) @ q[0, 0, 0, :4]
    best, *_ = np.linalg.lstsq(latent[0], turned, rcond=None)
    assert np.max(np.abs(latent[0] @ best - turned)) > 0.01


def test_gradients_of_both_forms_are_the_numerical_derivatives(draw: Any) -> None:
    shapes = [(2, 2, 3), (2, 2, 2), (3, 2), (3, 2), (2, 2, 3), (2, 2, 2)]
    inputs = [torch.tensor(x, requires_grad=True) for x in draw(*shapes)]
    for form in ("naive", "absorbed"):
        call = lambda *x, form=form: mla(*x, form=form, causal=True)  # noqa: E731
        assert torch.autograd.gradcheck(call, inputs)


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("q", (L, D), "expected (…, H, L, D)"),
        ("q_rope", (2, H, S, R), f"expected (…, H, L, R), here (2, {H}, {L}, any)"),
        ("latent", (3, S, C), "expected (…, S, C), here (2, any, any)"),
        ("k_rope", (2, S, R + 1), f"expected (…, S, R), here (2, {S}, {R})"),
        ("w_uk", (H, C + 1, D), f"expected (H, C, D), here ({H}, {C}, {D})"),
        ("w_uv", (1, C, DV), f"expected (H, C, Dv), here ({H}, {C}, any)"),
    ],
)
def test_a_wrong_shape_is_named_and_explained(
    array: Any, name: str, shape: tuple[int, ...], expected: str
) -> None:
    arrays = {n: array(np.ones(s)) for n, s in zip(NAMES, SHAPES, strict=True)}
    arrays[name] = array(np.ones(shape))
    with pytest.raises(ValueError, match=f"^{re.escape(f'{name} has shape {shape}: {expected}')}$"):
        mla(**arrays)


def test_other_wrong_arguments_are_named(array: Any) -> None:
    arrays = {n: array(np.ones(s)) for n, s in zip(NAMES, SHAPES, strict=True)}
    with pytest.raises(ValueError, match=r"^form is 'fast': expected 'naive' or 'absorbed'$"):
        mla(**arrays, form="fast")
    for name in NAMES:
        with pytest.raises(TypeError, match=f"^{name} is a list: expected an array$"):
            mla(**{**arrays, name: [1.0]})
    narrow = {**arrays, "w_uv": array(np.ones(SHAPES[-1]), "float32")}
    with pytest.raises(TypeError, match=r"^w_uv has dtype .*float32: expected q's .*float64$"):
        mla(**narrow)
    with pytest.raises(
        ValueError, match=r"^w_uk has shape .*: expected \(H, C, D\), here \(3, any"
    ):
        absorb(arrays["q"], array(np.ones((H, C, D + 1))))
    cache, q = array(np.ones((2, S, C + R))), array(np.ones((2, H, 1, C + R)))
    with pytest.raises(ValueError, match=r"^rank is 9: expected at most the cache's 8$"):
        mla_decode(q, cache, [S, S], rank=9, scale=1.0)
    with pytest.raises(ValueError, match=r"^latent_cache has shape .*: expected 3 axes"):
        mla_decode(q, cache[0], [S, S], rank=C, scale=1.0)


def test_latents_are_one_shared_head_of_keys_and_values(array: Any, draw: Any) -> None:
    q, cache = map(array, draw((2, H, 1, C + R), (2, S, C + R)))
    one_head = cache[:, None]
    expected = decode(q, one_head, one_head[..., :C], [S, 3], scale=0.4)
    assert_allclose(mla_decode(q, cache, [S, 3], rank=C, scale=0.4), expected, rtol=1e-14)
