"""Softmax and log-sum-exp that neither overflow nor divide by zero."""

from math import inf

from array_api_compat import array_namespace

from attnref import Array
from attnref.checks import check_array


def softmax(x: Array, *, axis: int = -1) -> Array:
    """Weights in proportion to eˣ that sum to 1 along `axis`, or are all zero where x is all −∞.

    x: any shape; real floats, each finite or −∞. Returns x's shape and dtype; float16 and
    bfloat16 are computed in float32.

    Raises TypeError if x is not an array of real floats.

    Source: Milakov & Gimelshein 2018 (arXiv:1805.02867), equation 2. Zeros, and zero gradients,
    where there is nothing to weigh are this book's rule.
    """
    check_array("x", x, "real floating")
    xp = array_namespace(x)
    _, exps, total = _exponentials(x, axis)
    weights = exps / xp.where(total == 0, 1.0, total)  # 0 / 1 rather than 0 / 0
    return xp.astype(weights, x.dtype, copy=False)


def logsumexp(x: Array, *, axis: int = -1) -> Array:
    """ln Σ eˣ along `axis`, which it removes; −∞ where x is all −∞.

    x: any shape; real floats, each finite or −∞. Returns x's dtype, but float32 for float16 and
    bfloat16: it is the number that partial results are merged by.

    Raises TypeError if x is not an array of real floats.

    Source: Dao 2023 (arXiv:2307.08691), section 3.1: L = m + ln ℓ.
    """
    check_array("x", x, "real floating")
    xp = array_namespace(x)
    top, _, total = _exponentials(x, axis)
    # Both choices are made of finite numbers, so that the one not taken has no NaN gradient.
    lse = xp.where(total == 0, -inf, top + xp.log(xp.where(total == 0, 1.0, total)))
    return xp.squeeze(lse, axis=axis)


def widen(x: Array) -> Array:
    """x in the dtype that this package computes in: its own, and float32 for narrower ones."""
    xp = array_namespace(x)
    return xp.astype(x, xp.float32) if xp.finfo(x.dtype).bits < 32 else x


def _exponentials(x: Array, axis: int) -> tuple[Array, Array, Array]:
    """The maximum m, e^(x − m) and its sum: x's shape, with 1 along `axis` for m and the sum.

    Where x is all −∞ or empty, m is 0, because −∞ − (−∞) is NaN; the exponentials are then zeros.
    """
    x = widen(x)
    xp = array_namespace(x)
    if x.shape[axis] == 0:  # no maximum, but a sum: 0
        top = xp.sum(x, axis=axis, keepdims=True)
    else:
        top = xp.max(x, axis=axis, keepdims=True)
    top = xp.where(top == -inf, 0.0, top)
    exps = xp.exp(x - top)
    return top, exps, xp.sum(exps, axis=axis, keepdims=True)
