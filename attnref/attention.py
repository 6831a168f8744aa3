"""Scaled dot-product attention."""

from math import inf
from typing import Any

from array_api_compat import array_namespace

from attnref import Array, masks
from attnref.checks import check_arrays, check_mask, check_number, check_pair
from attnref.softmax import logsumexp, softmax, widen


def attention(
    q: Array,
    k: Array,
    v: Array,
    *,
    mask: Array | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    return_lse: bool = False,
) -> Any:
    """softmax(q kᵀ · scale) v: for each query, the values averaged by how its scores weigh them.

    q (…, Hq, L, D), k (…, Hkv, S, D), v (…, Hkv, S, Dv) → (…, Hq, L, Dv), or with `return_lse`
    the pair of it and the log-sum-exp of the scores, (…, Hq, L), natural logarithm. Rank 2 is one
    head. Hkv divides Hq: KV head h // (Hq / Hkv) serves query head h.

    mask     Boolean (True takes part) or a bias added to the scores, finite or −∞;
             broadcastable to (…, Hq, L, S)
    causal   query i sees keys j ≤ i + S − L: the last query stands at the last key
    window   (left, right): the neighbours that count on each side of that position, itself too
    scale    what the dot products are multiplied by; 1/√D if not given
    softcap  c bends the scaled scores s to c · tanh(s / c), before anything is masked

    Mask, causal and window all have to allow a pair. A query with no key gets zeros, lse = −∞ and
    zero gradients. Inputs are finite: a mask hides a number, it does not cure a NaN.

    One floating dtype for q, k, v and the output. float16 and bfloat16 are computed in float32,
    and their lse stays float32.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), equation 1; shared KV heads: Ainslie et al.
    2023 (arXiv:2305.13245), section 2.2; softcap: Gemma 2, 2024 (arXiv:2408.00118), section 2.
    """
    check_arrays(q, k, v)
    scores = masked(capped_scores(q, k, scale, softcap), q, mask, causal, window)
    out = array_namespace(q).astype(mixture(softmax(scores), v), q.dtype, copy=False)
    return (out, logsumexp(scores)) if return_lse else out


def attention_weights(
    q: Array,
    k: Array,
    *,
    mask: Array | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    scale: float | None = None,
    softcap: float | None = None,
) -> Array:
    """softmax(q kᵀ · scale): the weights that `attention` averages the values by.

    q (…, Hq, L, D), k (…, Hkv, S, D) → (…, Hq, L, S) in their dtype; each row sums to 1, or is
    all zero if its query has no key. Arguments, errors and source as in `attention`.
    """
    check_arrays(q, k, v=k)
    scores = masked(capped_scores(q, k, scale, softcap), q, mask, causal, window)
    return array_namespace(q).astype(softmax(scores), q.dtype, copy=False)


def capped_scores(q: Array, k: Array, scale: float | None, softcap: float | None) -> Array:
    """The scores of all pairs, scaled, then bent, in the dtype to compute in: (…, Hq, L, S)."""
    scores = widen(q) @ for_query_heads(widen(k), q).mT * factor(q, scale)  # (…, Hq, L, S)
    if softcap is None:
        return scores
    c = check_number("softcap", softcap, positive=True)
    return c * array_namespace(q).tanh(scores / c)


def factor(q: Array, scale: float | None) -> float:
    """What the dot products are multiplied by: the scale, 1/√D if there is none."""
    return float(q.shape[-1] ** -0.5) if scale is None else check_number("scale", scale)


def masked(
    scores: Array,
    q: Array,
    mask: Array | None = None,
    causal: bool = False,
    window: tuple[int, int] | None = None,
    ahead: int | None = None,
) -> Array:
    """The scores of q, with −∞ where a pair is not allowed: (…, Hq, L, S).

    Where the scores are a part of a larger grid, `ahead` is how many keys its first query stands
    after its first key; S − L if not given.
    """
    xp = array_namespace(scores)
    if mask is not None:
        check_mask(mask, q, tuple(scores.shape))
        if xp.isdtype(mask.dtype, "bool"):
            scores = xp.where(mask, scores, -inf)
        else:
            scores = scores + xp.astype(mask, scores.dtype)
    if causal or window is not None:
        away = masks.distance(scores.shape[-2], scores.shape[-1], ahead, like=scores)
        if causal:
            scores = xp.where(away <= 0, scores, -inf)
        if window is not None:
            scores = xp.where(masks.near(away, check_pair("window", window)), scores, -inf)
    return scores


def mixture(weights: Array, v: Array) -> Array:
    """The values, averaged by the weights, in the dtype to compute in: (…, Hq, L, Dv)."""
    return weights @ for_query_heads(widen(v), weights)


def for_query_heads(x: Array, q: Array) -> Array:
    """Head h of the result is head h // G of x: (…, Hkv, S, D) → (…, Hq, S, D), G = Hq / Hkv."""
    if x.ndim == 2 or x.shape[-3] == q.shape[-3]:
        return x
    return array_namespace(x).repeat(x, q.shape[-3] // x.shape[-3], axis=-3)
