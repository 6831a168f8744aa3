"""Attention over disjoint keys, part by part, and how the parts become one."""

from collections.abc import Sequence

from array_api_compat import array_namespace

from attnref import Array
from attnref.checks import check_array, check_kin, check_place, expect
from attnref.softmax import logsumexp, softmax, widen


def merge(outs: Array | Sequence[Array], lses: Array | Sequence[Array]) -> tuple[Array, Array]:
    """One output and log-sum-exp, as if the parts' keys had been attended to together.

    outs (parts, …, L, Dv) and lses (parts, …, L), each an array or a sequence of parts, as
    `attention(…, return_lse=True)` gives them over keys of their own. Returns out (…, L, Dv) in
    the dtype of outs and lse (…, L) in that of lses:

        lse = ln Σ exp(lseₚ),   out = Σ exp(lseₚ − lse) outₚ

    The order of the parts does not matter, nor what is merged first, up to rounding. A part that
    saw no key, (0, −∞), changes nothing; if no part did, that is the result.

    Raises TypeError or ValueError unless there is a part and their shapes, libraries and devices
    agree.

    Source: Dao 2023, FlashAttention-2 (arXiv:2307.08691), section 2.3, by blocks; Juravsky
    et al. 2024 (arXiv:2402.05099), section 3.1, for the log-sum-exp form.
    """
    outs, lses = _stack("outs", outs), _stack("lses", lses)
    check_place("lses", lses, "outs", outs)
    expect(outs.ndim >= 3 and outs.shape[0] > 0, "outs", outs, "expected (parts, …, L, Dv)")
    shape = tuple(outs.shape[:-1])
    expect(tuple(lses.shape) == shape, "lses", lses, f"it must be outs's without Dv, {shape}")
    xp = array_namespace(outs)
    shares = softmax(lses, axis=0)[..., None]  # (parts, …, L, 1), zeros where no part saw a key
    out = xp.sum(xp.astype(shares, widen(outs).dtype) * widen(outs), axis=0)
    return xp.astype(out, outs.dtype, copy=False), logsumexp(lses, axis=0)


def _stack(name: str, parts: Array | Sequence[Array]) -> Array:
    if not isinstance(parts, list | tuple):
        check_array(name, parts, "real floating")
        return parts
    if not parts:
        raise ValueError(f"{name} is empty: expected one part or more")
    for at, part in enumerate(parts):
        check_kin(f"{name}[{at}]", part, f"{name}[0]", parts[0])
        same = tuple(part.shape) == tuple(parts[0].shape)
        expect(same, f"{name}[{at}]", part, f"expected {name}[0]'s {tuple(parts[0].shape)}")
    return array_namespace(parts[0]).stack(list(parts))
