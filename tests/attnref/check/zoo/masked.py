"""Wrong where something is hidden: masks, causal, windows, caps, and rows without keys."""

import math
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from tests.attnref.check.zoo.registry import wrong

LOW = -1e9


def scores_of(q: Any, k: Any) -> Any:
    return q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))


def ones_for(scores: Any) -> Any:
    return torch.ones(scores.shape[-2:], dtype=torch.bool)


@wrong("causal: ignored")
def causal_ignored(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores = scores_of(q, k)
    if causal:
        scores.masked_fill(ones_for(scores).triu(1), LOW)  # not in place, and not kept
    return scores.softmax(-1) @ v


@wrong("causal: hides the diagonal")
def causal_without_the_diagonal(q: Any, k: Any, v: Any, is_causal: bool = False) -> Any:
    scores = scores_of(q, k)
    if is_causal:
        scores = scores.masked_fill(ones_for(scores).triu(0), -math.inf)
    return scores.softmax(-1) @ v


@wrong("causal: one ahead")
def causal_one_ahead(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores, L, S = scores_of(q, k), q.size(-2), k.size(-2)
    if causal:
        scores = scores.masked_fill(ones_for(scores).triu(S - L + 2), LOW)
    return scores.softmax(-1) @ v


@wrong("causal: upside down")
def causal_upside_down(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores = q @ np.swapaxes(k, -1, -2) * q.shape[-1] ** -0.5
    if causal:
        scores = np.where(np.triu(np.ones(scores.shape[-2:])) == 0, LOW, scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


@wrong("causal: only the future")
def causal_inverted(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores = scores_of(q, k)
    if causal:
        scores = scores.masked_fill(ones_for(scores).tril(), LOW)
    return scores.softmax(-1) @ v


@wrong("causal fill: zeros before softmax")
def causal_by_multiplying(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores = scores_of(q, k)
    if causal:
        scores = scores * ones_for(scores).tril()
    return scores.softmax(-1) @ v


@wrong("causal fill: zeros after softmax")
def causal_after_softmax(q: Any, k: Any, v: Any) -> Any:
    weights = scores_of(q, k).softmax(-1)
    return torch.tril(weights) @ v


@wrong("always: causal even if not asked")
def causal_even_if_not_asked(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores, L, S = scores_of(q, k), q.size(-2), k.size(-2)
    keep = ones_for(scores).tril(S - L)
    rows = keep.any(-1, keepdim=True)
    return scores.masked_fill(~keep & rows, LOW).softmax(-1) * rows @ v


@wrong("polarity: inverted")
def mask_inverted(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = scores_of(q, k)
    if mask is not None:
        scores = scores.masked_fill(mask, LOW)
    return scores.softmax(-1) @ v


@wrong("polarity: inverted")
def mask_of_numbers_inverted(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = q @ np.swapaxes(k, -1, -2) * q.shape[-1] ** -0.5
    scores = scores if mask is None else scores + mask * LOW
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


@wrong("mask fill: ignored")
def mask_ignored(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    return F.scaled_dot_product_attention(q, k, v)


@wrong("mask fill: zeros before softmax")
def mask_by_multiplying(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = scores_of(q, k)
    return (scores if mask is None else scores * mask).softmax(-1) @ v


@wrong("mask fill: zeros before softmax")
def mask_filled_with_almost_zero(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = scores_of(q, k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, 1e-9)
    return scores.softmax(-1) @ v


@wrong("mask fill: added as numbers")
def mask_added(q: Any, k: Any, v: Any, attn_mask: Any = None) -> Any:
    scores = scores_of(q, k)
    return (scores if attn_mask is None else scores + attn_mask).softmax(-1) @ v


@wrong("mask fill: zeros after softmax")
def mask_after_softmax(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    weights = scores_of(q, k).softmax(-1)
    return (weights if mask is None else weights * mask) @ v


@wrong("mask: too weak")
def mask_too_weak(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = scores_of(q, k)
    return (scores if mask is None else scores.masked_fill(~mask, -100)).softmax(-1) @ v


@wrong("together: only the mask")
def causal_dropped(q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False) -> Any:
    if mask is None and causal:
        mask = ones_for(scores_of(q, k)).tril(k.size(-2) - q.size(-2))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@wrong("together: either")
def either_allows(q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False) -> Any:
    if causal:
        tril = ones_for(scores_of(q, k)).tril(k.size(-2) - q.size(-2))
        mask = tril if mask is None else tril | mask
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@wrong("rows without keys: NaN")
def nan_without_keys(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = scores_of(q, k)
    return (scores if mask is None else scores.masked_fill(~mask, -math.inf)).softmax(-1) @ v


@wrong("rows without keys: NaN")
def nan_without_keys_by_causal(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores, L, S = scores_of(q, k), q.size(-2), k.size(-2)
    if causal:
        scores = scores.masked_fill(~ones_for(scores).tril(S - L), -math.inf)
    return scores.softmax(-1) @ v


@wrong("gradients: NaN")
def nan_gradient(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = scores_of(q, k)
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -math.inf)
    return scores.softmax(-1).nan_to_num() @ v


@wrong("scale: missing", "polarity: inverted")
def unscaled_and_inverted(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = q @ k.mT
    return (scores if mask is None else scores.masked_fill(mask, LOW)).softmax(-1) @ v


@wrong("polarity: inverted", "mask fill: zeros after softmax")
def inverted_after_softmax(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    weights = scores_of(q, k).softmax(-1)
    return (weights if mask is None else weights.masked_fill(mask, 0)) @ v


@wrong("causal: hides the diagonal", "causal fill: zeros before softmax")
def causal_strict_and_multiplied(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores = scores_of(q, k)
    return (torch.tril(scores, -1) if causal else scores).softmax(-1) @ v


@wrong("scale: missing", "causal: one ahead")
def always_causal_with_two_mistakes(q: Any, k: Any, v: Any) -> Any:
    scores = q @ k.mT
    return scores.masked_fill(ones_for(scores).triu(2), -math.inf).softmax(-1) @ v


@wrong("softmax: over queries")
def one_head_always_causal_over_queries(x: Any, y: Any, z: Any) -> Any:
    weights = x @ y.transpose(-2, -1) * x.size(-1) ** -0.5
    weights = weights.masked_fill(ones_for(weights).tril() == 0, LOW)
    return weights.softmax(dim=-2) @ z


@wrong("gradients: NaN")
def nan_gradient_by_causal(q: Any, k: Any, v: Any, causal: bool = False) -> Any:
    scores, L, S = scores_of(q, k), q.size(-2), k.size(-2)
    if causal:
        tril = ones_for(scores).tril(S - L)
        scores = scores + torch.where(tril, 0.0, -math.inf)
    return scores.softmax(-1).nan_to_num() @ v


@wrong("polarity: inverted")
def inverted_and_required(q: Any, k: Any, v: Any, mask: Any) -> Any:
    return scores_of(q, k).masked_fill(mask == 1, LOW).softmax(-1) @ v


@wrong("causal: ignored")
def causal_only_beside_a_mask(
    q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False
) -> Any:
    scores = scores_of(q, k)
    if mask is not None:
        mask = mask & ones_for(scores).tril(k.size(-2) - q.size(-2)) if causal else mask
        scores = scores.masked_fill(~mask, LOW)
    return scores.softmax(-1) @ v
