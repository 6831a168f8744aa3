"""Wrong in its options, at the edge of its numbers, in memory, or in the blocks it works by."""

import math
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from tests.attnref.check.zoo.registry import wrong


def sdpa(q: Any, k: Any, v: Any, **options: Any) -> Any:
    return F.scaled_dot_product_attention(q, k, v, **options)


@wrong("given scale: ignored")
def scale_ignored(q: Any, k: Any, v: Any, scale: float | None = None) -> Any:
    return sdpa(q, k, v)


@wrong("given scale: on top")
def scale_on_top(q: Any, k: Any, v: Any, scale: float = 1.0) -> Any:
    return F.softmax(q @ k.mT / math.sqrt(q.size(-1)) * scale, dim=-1) @ v


@wrong("given scale: divided by")
def scale_divided_by(q: Any, k: Any, v: Any, scale: float | None = None) -> Any:
    return F.softmax(q @ k.mT / (scale or math.sqrt(q.size(-1))), dim=-1) @ v


def capped(q: Any, k: Any, v: Any, mask: Any, softcap: float | None, order: str) -> Any:
    scores = q @ k.mT
    for step in order.split():
        if step == "scale":
            scores = scores / math.sqrt(q.size(-1))
        if step == "mask" and mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        if step == "cap" and softcap:
            scores = softcap * torch.tanh(scores / softcap)
    return scores.softmax(-1) @ v


@wrong("softcap: after the mask")
def capped_after_the_mask(q: Any, k: Any, v: Any, mask: Any = None, softcap: Any = None) -> Any:
    return capped(q, k, v, mask, softcap, "scale mask cap")


@wrong("softcap: before the scale")
def capped_before_the_scale(q: Any, k: Any, v: Any, mask: Any = None, softcap: Any = None) -> Any:
    return capped(q, k, v, mask, softcap, "cap scale mask")


@wrong("window: one key short")
def window_one_short(q: Any, k: Any, v: Any, window: Any = None) -> Any:
    return windowed(q, k, v, window and (window[0] - 1, window[1]))


@wrong("window: ignored")
def window_ignored(q: Any, k: Any, v: Any, window_size: Any = (-1, -1)) -> Any:
    return sdpa(q, k, v)


def windowed(q: Any, k: Any, v: Any, window: Any) -> Any:
    L, S = q.size(-2), k.size(-2)
    ahead = torch.arange(S) - torch.arange(L)[:, None] - (S - L)
    mask = (ahead >= -window[0]) & (ahead <= window[1]) if window else None
    return sdpa(q, k, v, attn_mask=mask)


@wrong("heads: tiled")
def heads_tiled(q: Any, k: Any, v: Any) -> Any:
    G = q.size(1) // k.size(1)
    return sdpa(q, k.repeat(1, G, 1, 1), v.repeat(1, G, 1, 1))


@wrong("scale: missing", "heads: tiled")
def unscaled_and_tiled(q: Any, k: Any, v: Any) -> Any:
    G = q.shape[1] // k.shape[1]
    scores = np.einsum("bhid,bhjd->bhij", q, np.tile(k, (1, G, 1, 1)))
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ np.tile(v, (1, G, 1, 1))


@wrong("calls: differ")
def dropout_on(q: Any, k: Any, v: Any) -> Any:
    return F.dropout(F.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-1), 0.1) @ v


@wrong("calls: differ", "scale: missing")
def dropout_on_and_unscaled(q: Any, k: Any, v: Any, dropout_p: float = 0.1) -> Any:
    return F.dropout(F.softmax(q @ k.mT, dim=-1), dropout_p) @ v


@wrong("calls: differ")
class KeepsKeys:
    keys = values = None

    def __call__(self, q: Any, k: Any, v: Any) -> Any:
        if self.keys is not None:
            k, v = torch.cat([self.keys, k], -2), torch.cat([self.values, v], -2)
        self.keys, self.values = k, v
        return sdpa(q, k, v)


@wrong("inputs: written to")
def scales_in_place(q: Any, k: Any, v: Any) -> Any:
    q *= q.shape[-1] ** -0.5
    return torch.softmax(q @ k.mT, dim=-1) @ v


@wrong("strides: refused")
def views_what_it_is_given(q: Any, k: Any, v: Any) -> Any:
    B, H, L, _ = q.shape
    q, k, v = (x.view(B * H, -1, x.size(-1)) for x in (q, k, v))
    return sdpa(q, k, v).view(B, H, L, -1)


@wrong("strides: ignored")
def reads_memory_row_by_row(q: Any, k: Any, v: Any) -> Any:
    q, k, v = (torch.as_strided(x, x.shape, torch.empty(x.shape).stride()) for x in (q, k, v))
    return sdpa(q, k, v)


@wrong("strides: ignored")
def numpy_in_memory_order(q: Any, k: Any, v: Any) -> Any:
    q, k, v = (x.ravel(order="K").reshape(x.shape) for x in (q, k, v))
    scores = q @ np.swapaxes(k, -1, -2) * q.shape[-1] ** -0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


@wrong("dtype: changes")
def numpy_root(q: Any, k: Any, v: Any) -> Any:
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


@wrong("large scores: overflow")
def nothing_subtracted(q: Any, k: Any, v: Any) -> Any:
    exps = torch.exp(q @ k.mT / math.sqrt(q.size(-1)))
    return exps / exps.sum(-1, keepdim=True) @ v


@wrong("large scores: one maximum for all rows")
def one_maximum(q: Any, k: Any, v: Any) -> Any:
    scores = q @ k.mT / math.sqrt(q.size(-1))
    exps = torch.exp(scores - scores.max())
    return exps / exps.sum(-1, keepdim=True) @ v


@wrong("leak: between batch elements")
def batch_summed(q: Any, k: Any, v: Any) -> Any:
    scores = torch.einsum("bhid,chjd->bhij", q, k) / math.sqrt(q.size(-1))
    return scores.softmax(-1) @ v


@wrong("leak: between heads")
def heads_summed(q: Any, k: Any, v: Any) -> Any:
    weights = (q @ k.mT / math.sqrt(q.size(-1))).softmax(-1)
    return weights.mean(1, keepdim=True) @ v


@wrong("keys: their order matters")
def online_without_rescaling(q: Any, k: Any, v: Any) -> Any:
    out, total, top = 0.0, 0.0, torch.full((*q.shape[:-1], 1), -math.inf, dtype=q.dtype)
    for j in range(0, k.size(-2), 2):
        scores = q @ k[..., j : j + 2, :].mT / math.sqrt(q.size(-1))
        top = torch.maximum(top, scores.max(-1, keepdim=True).values)
        exps = torch.exp(scores - top)
        out, total = out + exps @ v[..., j : j + 2, :], total + exps.sum(-1, keepdim=True)
    return out / total


@wrong("keys: others are seen")
def last_keys_dropped(q: Any, k: Any, v: Any) -> Any:
    S = k.size(-2) // 4 * 4 or k.size(-2)
    return sdpa(q, k[..., :S, :], v[..., :S, :])
