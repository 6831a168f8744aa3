"""Masks: which query may look at which key. True takes part; compose with `&` and `|`."""

from math import inf
from numbers import Integral
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from attnref import Array


def causal(L: int, S: int | None = None, *, like: Array | None = None) -> Array:
    """Each query sees its own position and everything before it: Boolean (L, S).

    The last query stands at the last key (bottom-right alignment): query i, counted from 0, sees
    keys j ≤ i + S − L. With S < L the first L − S queries see nothing. S is L if not given. The
    mask belongs to the library and device of the array `like`, to NumPy if there is none.

    Raises TypeError or ValueError unless L and S are whole numbers, 0 or more.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3.
    """
    return _distance(L, L if S is None else S, like) <= 0


def window(L: int, S: int, left: int, right: int, *, like: Array | None = None) -> Array:
    """Each query sees `left` keys before its position, that position, and `right` after it.

    Boolean (L, S): query i sees keys j with i + S − L − left ≤ j ≤ i + S − L + right, so at most
    left + 1 + right of them. The mask takes its library and device from `like`, as in `causal`.

    Raises TypeError or ValueError unless the four are whole numbers, 0 or more.

    Source: Beltagy et al. 2020 (arXiv:2004.05150), section 3.1; there w = left + right.
    """
    check_count("left", left)
    check_count("right", right)
    distance = _distance(L, S, like)
    return (-left <= distance) & (distance <= right)


def to_bias(mask: Array, dtype: Any) -> Array:
    """The additive form of a Boolean mask: 0 where it is True, −∞ where it is False.

    mask: Boolean, any shape. Returns its shape in `dtype`, a real floating dtype of its library.

    Raises TypeError if the mask is not Boolean or the dtype cannot hold −∞.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3.
    """
    xp = array_namespace(mask)
    if not xp.isdtype(mask.dtype, "bool"):
        raise TypeError(f"mask has dtype {mask.dtype}: expected bool")
    if not xp.isdtype(dtype, "real floating"):
        raise TypeError(f"dtype is {dtype}: expected real floating")
    return xp.where(mask, xp.zeros(mask.shape, dtype=dtype, device=device(mask)), -inf)


def check_count(name: str, value: Any) -> None:
    """Raises TypeError or ValueError, naming the argument, unless value is 0, 1, 2, …"""
    if not isinstance(value, Integral):
        raise TypeError(f"{name} is {value!r}: expected a whole number")
    if value < 0:
        raise ValueError(f"{name} is {value!r}: expected 0 or more")


def _distance(L: int, S: int, like: Array | None) -> Array:
    """How far key j lies after the position of query i: j − (i + S − L), integers (L, S)."""
    check_count("L", L)
    check_count("S", S)
    like = np.empty(0) if like is None else like
    xp = array_namespace(like)
    i = xp.arange(L, device=device(like))[:, None]  # (L, 1)
    j = xp.arange(S, device=device(like))[None, :]  # (1, S)
    return j - (i + S - L)
