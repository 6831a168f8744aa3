"""Scaled dot-product attention."""

from math import inf, isfinite
from numbers import Real
from typing import Any

from array_api_compat import array_namespace, device

from attnref import Array, masks
from attnref.softmax import check_array, logsumexp, softmax, widen


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
    scores = _scores(q, k, mask, causal, window, scale, softcap)  # (…, Hq, L, S)
    out = softmax(scores) @ _for_every_query_head(widen(v), q)  # (…, Hq, L, Dv)
    out = array_namespace(q).astype(out, q.dtype, copy=False)
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
    scores = _scores(q, k, mask, causal, window, scale, softcap)  # (…, Hq, L, S)
    return array_namespace(q).astype(softmax(scores), q.dtype, copy=False)


def _scores(
    q: Array,
    k: Array,
    mask: Array | None,
    causal: bool,
    window: tuple[int, int] | None,
    scale: float | None,
    softcap: float | None,
) -> Array:
    """The scores, scaled, then capped, then −∞ where a pair is not allowed: (…, Hq, L, S)."""
    xp = array_namespace(q)
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    scale = D**-0.5 if scale is None else check_number("scale", scale)

    scores = widen(q) @ _for_every_query_head(widen(k), q).mT * scale  # (…, Hq, L, S)
    if softcap is not None:
        c = check_number("softcap", softcap, positive=True)
        scores = c * xp.tanh(scores / c)
    if mask is not None:
        _check_mask(mask, scores)
        if xp.isdtype(mask.dtype, "bool"):
            scores = xp.where(mask, scores, -inf)
        else:
            scores = scores + xp.astype(mask, scores.dtype)
    if causal:
        scores = xp.where(masks.causal(L, S, like=q), scores, -inf)
    if window is not None:
        near = masks.window(L, S, *_pair("window", window), like=q)
        scores = xp.where(near, scores, -inf)
    return scores


def _for_every_query_head(x: Array, q: Array) -> Array:
    """Head h of the result is head h // G of x: (…, Hkv, S, D) → (…, Hq, S, D), G = Hq / Hkv."""
    if x.ndim == 2 or x.shape[-3] == q.shape[-3]:
        return x
    return array_namespace(x).repeat(x, q.shape[-3] // x.shape[-3], axis=-3)


def check_arrays(q: Array, k: Array, v: Array) -> None:
    """Raises TypeError or ValueError unless the three are of one kind and their shapes agree."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_array(name, x, "real floating")
        _check_place(name, x, q)
        if x.dtype != q.dtype:
            raise TypeError(f"{name} has dtype {x.dtype}: expected q's {q.dtype}")

    _expect(q.ndim >= 2, "q", q, "expected (L, D) or (…, Hq, L, D)")
    _expect(q.shape[-1] > 0, "q", q, "its last axis must be 1 or more")
    _expect(k.ndim == q.ndim, "k", k, f"it must have as many axes as q, {q.ndim}")
    _expect(v.ndim == q.ndim, "v", v, f"it must have as many axes as q, {q.ndim}")
    _expect(k.shape[-1] == q.shape[-1], "k", k, f"its last axis must be q's {q.shape[-1]}")
    _expect(k.shape[:-3] == q.shape[:-3], "k", k, f"its batch must be q's {tuple(q.shape[:-3])}")
    _expect(v.shape[:-1] == k.shape[:-1], "v", v, f"it must start as k, {tuple(k.shape[:-1])}")
    if q.ndim > 2:
        Hq, Hkv = q.shape[-3], k.shape[-3]
        divides = Hq % Hkv == 0 if Hkv else Hq == 0
        _expect(divides, "k", k, f"its {Hkv} heads must divide q's {Hq}")


def _check_mask(mask: Array, scores: Array) -> None:
    """Raises TypeError or ValueError unless the mask can be laid over the scores."""
    check_array("mask", mask, "bool", "real floating")
    _check_place("mask", mask, scores)
    sizes = zip(reversed(mask.shape), reversed(scores.shape), strict=False)
    fits = mask.ndim <= scores.ndim and all(m in (1, n) for m, n in sizes)
    _expect(fits, "mask", mask, f"it must broadcast to {tuple(scores.shape)}")


def _check_place(name: str, x: Array, q: Array) -> None:
    """Raises TypeError unless x belongs to the library and the device of q."""
    if array_namespace(x) is not array_namespace(q) or device(x) != device(q):
        raise TypeError(f"{name} is {_place(x)}: expected {_place(q)}, as q")


def _place(x: Array) -> str:
    return f"a {type(x).__module__}.{type(x).__name__} on {device(x)}"


def _expect(holds: bool, name: str, x: Array, expected: str) -> None:
    if not holds:
        raise ValueError(f"{name} has shape {tuple(x.shape)}: {expected}")


def check_number(name: str, value: Any, *, positive: bool = False) -> float:
    """The value as a float; raises TypeError or ValueError unless it is a finite number."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}: expected a number")
    if not isfinite(value) or (positive and value <= 0):
        raise ValueError(f"{name} is {value!r}: expected a finite number{' above 0' * positive}")
    return float(value)


def _pair(name: str, value: Any) -> tuple[Any, Any]:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{name} is {value!r}: expected a pair (left, right)")
    return value[0], value[1]
