"""Attention tile by tile, forward and backward: exact, without ever holding all the scores."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from array_api_compat import array_namespace

from attnref import Array
from attnref.attention import capped_scores, factor, for_query_heads, masked, mixture
from attnref.checks import (
    check_array,
    check_arrays,
    check_count,
    check_kin,
    check_mask,
    check_pair,
    check_shape,
)
from attnref.softmax import widen

TILE = (64, 64)  # queries, keys


def tiled_attention(
    q: Array,
    k: Array,
    v: Array,
    *,
    tile: tuple[int, int] = TILE,
    mask: Array | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    return_lse: bool = False,
) -> Any:
    """`attention`, up to rounding, with the scores of tile[0] queries and tile[1] keys at a time.

    For each tile of queries it walks over the tiles of keys and carries three things a query: the
    largest score m so far, the sum ℓ of exponentials and the weighted sum acc of values, both
    relative to m. When a larger score turns up, ℓ and acc shrink by e^(m_old − m_new). Tiles that
    causal and window leave nothing of are skipped.

    Arguments, shapes, errors and rules as in `attention`; tile is a pair of whole numbers, 1 or
    more.

    Source: Dao et al. 2022, FlashAttention (arXiv:2205.14135), algorithm 1; in this order of
    loops: Dao 2023 (arXiv:2307.08691), algorithm 1.
    """
    check_arrays(q, k, v)
    xp = array_namespace(q)
    grid = _Grid(q, k, tile, mask, causal, window, scale, softcap)
    outs, lses = [], []
    for rows in grid.rows():
        m = xp.full_like(widen(q)[..., rows, :1], -inf)  # (…, Hq, bl, 1)
        total = xp.zeros_like(m)
        acc = mixture(m[..., :0], v[..., :0, :])  # (…, Hq, bl, Dv), zeros
        for keys, _, scores in grid.tiles(rows):
            m_new = xp.maximum(m, xp.max(scores, axis=-1, keepdims=True))
            shift = xp.where(m_new == -inf, 0.0, m_new)  # nothing seen yet: e^(−∞ − 0) is 0
            exps = xp.exp(scores - shift)
            shrink = xp.exp(m - shift)
            total = total * shrink + xp.sum(exps, axis=-1, keepdims=True)
            acc = acc * shrink + mixture(exps, v[..., keys, :])
            m = m_new
        empty = total == 0
        full = xp.where(empty, 1.0, total)
        outs.append(acc / full)
        lses.append(xp.where(empty, -inf, m + xp.log(full))[..., 0])
    out = xp.astype(xp.concat(outs, axis=-2), q.dtype, copy=False)
    return (out, xp.concat(lses, axis=-1)) if return_lse else out


def tiled_attention_backward(
    d_out: Array,
    q: Array,
    k: Array,
    v: Array,
    out: Array,
    lse: Array,
    *,
    tile: tuple[int, int] = TILE,
    mask: Array | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> tuple[Array, Array, Array]:
    """What a small change of q, k and v does to Σ d_out · out: (dq, dk, dv), in their shapes.

    out and lse are what `tiled_attention(…, return_lse=True)` gave for the same arguments; d_out
    has the shape of out. The weights were not kept: each tile's are computed again, from lse.

        P = exp(Z − lse),   dV = Pᵀ dO,   dP = dO Vᵀ,   dZ = P ∘ (dP − Σ dO ∘ O)

    with the sum over each row, then dQ = dZ K · scale and dK = dZᵀ Q · scale. Z are the scores that
    enter the softmax. With a softcap c, dZ is multiplied by 1 − (capped score / c)² first. A shared
    KV head gets the sum over its query heads.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Dao et al. 2022, FlashAttention (arXiv:2205.14135), appendix B.2 and algorithm 4.
    """
    check_arrays(q, k, v)
    shape = (*q.shape[:-1], v.shape[-1])
    for name, x in (("d_out", d_out), ("out", out)):
        check_kin(name, x, "q", q)
        check_shape(name, x, shape, "(…, Hq, L, Dv)")
    check_array("lse", lse, "real floating")
    check_shape("lse", lse, shape[:-1], "(…, Hq, L)")
    xp = array_namespace(q)
    grid = _Grid(q, k, tile, mask, causal, window, scale, softcap)
    times = factor(q, scale)
    lse = xp.where(lse == -inf, 0.0, lse)[..., None]  # a query with no key: e^(−∞ − 0) is 0
    delta = xp.sum(widen(d_out) * widen(out), axis=-1, keepdims=True)  # (…, Hq, L, 1)
    dq, dk, dv = (xp.zeros_like(widen(x)) for x in (q, k, v))
    for rows in grid.rows():
        qi, d_out_i = widen(q)[..., rows, :], widen(d_out)[..., rows, :]
        for keys, capped, scores in grid.tiles(rows):
            p = xp.exp(scores - lse[..., rows, :])  # (…, Hq, bl, bs)
            dp = d_out_i @ for_query_heads(widen(v)[..., keys, :], q).mT
            ds = p * (dp - delta[..., rows, :])
            if softcap is not None:
                ds = ds * (1 - (capped / softcap) ** 2)  # the slope of tanh
            dq[..., rows, :] += mixture(ds, k[..., keys, :]) * times
            dk[..., keys, :] += _of_kv_heads(ds.mT @ qi, k) * times
            dv[..., keys, :] += _of_kv_heads(p.mT @ d_out_i, v)
    return tuple(xp.astype(dx, q.dtype, copy=False) for dx in (dq, dk, dv))


@dataclass(frozen=True)
class _Grid:
    """The scores of all pairs, cut into tiles that are computed when they are asked for."""

    q: Array
    k: Array
    tile: tuple[int, int]
    mask: Array | None
    causal: bool
    window: tuple[int, int] | None
    scale: float | None
    softcap: float | None

    def __post_init__(self) -> None:
        bl, bs = check_pair("tile", self.tile, "(bl, bs)")
        check_count("tile[0]", bl, least=1)
        check_count("tile[1]", bs, least=1)
        if self.mask is not None:
            check_mask(self.mask, self.q, (*self.q.shape[:-1], self.k.shape[-2]))

    def rows(self) -> Iterator[slice]:
        """Tiles of queries; an empty one if there are none."""
        return _slices(self.q.shape[-2], self.tile[0], least=1)

    def tiles(self, rows: slice) -> Iterator[tuple[slice, Array, Array]]:
        """For each tile of keys that these queries may see: which keys, the scores before masking,
        and after."""
        L, S = self.q.shape[-2], self.k.shape[-2]
        first, last = rows.start + S - L, rows.stop - 1 + S - L  # where these queries stand
        left, right = self.window or (S + L, S + L)
        for keys in _slices(S, self.tile[1]):
            late = keys.start > last + (0 if self.causal else right)
            early = keys.stop - 1 < first - left
            if late or early:
                continue
            ki = self.k[..., keys, :]
            capped = capped_scores(self.q[..., rows, :], ki, self.scale, self.softcap)
            mask = None if self.mask is None else _part(self.mask, rows, keys)
            ahead = first - keys.start
            yield keys, capped, masked(capped, self.q, mask, self.causal, self.window, ahead)


def _slices(n: int, size: int, least: int = 0) -> Iterator[slice]:
    return (slice(at, min(at + size, n)) for at in range(0, max(n, least), size))


def _part(mask: Array, rows: slice, keys: slice) -> Array:
    """A tile of a mask; an axis of 1 stays, to be broadcast."""
    if mask.ndim > 1 and mask.shape[-2] > 1:
        mask = mask[..., rows, :]
    return mask[..., keys] if mask.ndim and mask.shape[-1] > 1 else mask


def _of_kv_heads(x: Array, k: Array) -> Array:
    """What each KV head's queries add up to: (…, Hq, S, D) → (…, Hkv, S, D)."""
    if x.ndim == 2 or x.shape[-3] == k.shape[-3]:
        return x
    groups = (*k.shape[:-2], x.shape[-3] // k.shape[-3], *x.shape[-2:])
    return array_namespace(x).sum(array_namespace(x).reshape(x, groups), axis=-3)
