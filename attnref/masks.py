"""Masks: which query may look at which key. True takes part; compose with `&` and `|`.

Query i of L, counted from 0, stands at position i + S − L among S keys, so that the last query
stands at the last key. Masks of lengths alone are NumPy's, or belong to the library and device of
the array `like`; masks made of arrays belong to theirs.
"""

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from attnref import Array
from attnref.checks import check_array, check_count, check_pair, check_place, expect

__all__ = [
    "bigbird",
    "blocks",
    "causal",
    "dilated",
    "document",
    "longformer",
    "padding",
    "prefix",
    "strided",
    "to_bias",
    "to_boolean",
    "window",
]


def causal(L: int, S: int | None = None, *, like: Array | None = None) -> Array:
    """Each query sees its own position and everything before it: Boolean (L, S).

    Query i sees keys j ≤ i + S − L (bottom-right alignment). With S < L the first L − S queries
    see nothing. S is L if not given.

    Raises TypeError or ValueError unless L and S are whole numbers, 0 or more.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3.
    """
    S = L if S is None else S
    return distance(L, S, like=like) <= 0


def window(L: int, S: int, left: int, right: int, *, like: Array | None = None) -> Array:
    """Each query sees `left` keys before its position, that position, and `right` after it.

    Boolean (L, S): query i sees keys j with i + S − L − left ≤ j ≤ i + S − L + right, so at most
    left + 1 + right of them.

    Raises TypeError or ValueError unless the four are whole numbers, 0 or more.

    Source: Beltagy et al. 2020 (arXiv:2004.05150), section 3.1; there w = left + right.
    """
    return near(distance(L, S, like=like), (left, right))


def dilated(
    L: int, S: int, left: int, right: int, dilation: int, *, like: Array | None = None
) -> Array:
    """A window with gaps: every `dilation`-th key, `left` of them before and `right` after.

    Boolean (L, S): query i sees keys at i + S − L + m · dilation for −left ≤ m ≤ right.

    Raises TypeError or ValueError unless the lengths are whole numbers, 0 or more, and the
    dilation 1 or more.

    Source: Beltagy et al. 2020 (arXiv:2004.05150), section 3.1.
    """
    check_count("dilation", dilation, least=1)
    check_count("left", left)
    check_count("right", right)
    away = distance(L, S, like=like)
    return near(away, (left * dilation, right * dilation)) & (away % dilation == 0)


def strided(L: int, S: int, stride: int, *, like: Array | None = None) -> Array:
    """The last `stride` positions, and before them every `stride`-th one: Boolean (L, S).

    Query i at position p = i + S − L sees keys p − stride < j ≤ p, and those j < p for which
    stride divides p − j. The paper gives the two parts to layers in turn, to different heads, or to
    one merged head; this is the merged one.

    Raises TypeError or ValueError unless the lengths are whole numbers, 0 or more, and the stride
    1 or more.

    Source: Child et al. 2019 (arXiv:1904.10509), sections 4.3 and 5.1.
    """
    check_count("stride", stride, least=1)
    away = distance(L, S, like=like)
    return (away <= 0) & ((-stride < away) | (away % stride == 0))


def prefix(L: int, S: int, n: int, *, like: Array | None = None) -> Array:
    """Everyone sees the first n keys; beyond them it is causal: Boolean (L, S).

    Raises TypeError or ValueError unless the three are whole numbers, 0 or more.

    Source: Raffel et al. 2019 (arXiv:1910.10683), section 3.2.1, "causal with prefix".
    """
    check_count("n", n)
    causally = causal(L, S, like=like)
    return causally | (array_namespace(causally).arange(S, device=device(causally)) < n)


def longformer(
    L: int, S: int, left: int, right: int, everywhere: Sequence[int], *, like: Array | None = None
) -> Array:
    """A window, and some positions that everyone sees and that see everyone: Boolean (L, S).

    `everywhere` holds the positions among the S keys, counted from 0.

    Raises TypeError or ValueError unless the lengths are whole numbers, 0 or more, and the
    positions whole numbers below S.

    Source: Beltagy et al. 2020 (arXiv:2004.05150), section 3.1, "global attention".
    """
    mask = window(L, S, left, right, like=like)
    for position in everywhere:
        check_count("everywhere", position)
        if position >= S:
            raise ValueError(f"everywhere has {position}: expected positions below S, {S}")
    xp, place, chosen = array_namespace(mask), device(mask), set(everywhere)
    keys = xp.asarray([j in chosen for j in range(S)], dtype=xp.bool, device=place)
    queries = xp.asarray([i + S - L in chosen for i in range(L)], dtype=xp.bool, device=place)
    return mask | keys[None, :] | queries[:, None]


def bigbird(
    n: int,
    block: int,
    *,
    window: int = 3,
    everywhere: int = 1,
    random: int = 2,
    seed: int,
    like: Array | None = None,
) -> Array:
    """Blocks of tokens that see their neighbours, the first blocks, and some drawn at random.

    Boolean (n, n). With ⌈n / block⌉ blocks, block row i sees `window` block columns around i, an
    odd number; the first `everywhere` block columns; and `random` more that it does not see yet,
    drawn with the seed, the same on every machine. The first `everywhere` block rows see all.

    Raises TypeError or ValueError unless n, everywhere, random and seed are whole numbers, 0 or
    more, block 1 or more and window odd.

    Source: Zaheer et al. 2020 (arXiv:2007.14062), section 2 and appendix D.
    """
    check_count("block", block, least=1)
    check_count("window", window)
    check_count("everywhere", everywhere)
    check_count("random", random)
    check_count("seed", seed)
    if window % 2 == 0:
        raise ValueError(f"window is {window}: expected an odd number")
    count = -(-check_count("n", n) // block)
    chosen = near(distance(count, count), (window // 2, window // 2))
    chosen[:, :everywhere] = True
    rng = np.random.RandomState(seed)  # its draws never change from one NumPy to the next
    for row in chosen:
        row[rng.permutation(np.flatnonzero(~row))[:random]] = True
    chosen[:everywhere] = True
    if like is not None:
        chosen = array_namespace(like).asarray(chosen, device=device(like))
    return blocks(chosen, (block, block), n, n)


def padding(lengths: Array, S: int) -> Array:
    """Each sequence of a batch sees the keys that it has, and no padding: (B, 1, 1, S).

    lengths: integers (B,); sequence b has the keys j < lengths[b].

    Raises TypeError or ValueError unless lengths is one axis of integers and S a whole number.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3, for masks as −∞.
    """
    check_array("lengths", lengths, "integral")
    expect(lengths.ndim == 1, "lengths", lengths, "expected (B,)")
    keys = array_namespace(lengths).arange(check_count("S", S), device=device(lengths))
    return keys < lengths[:, None, None, None]


def document(ids_q: Array, ids_k: Array) -> Array:
    """Queries see the keys of their own document, when several are packed into one sequence.

    ids_q (L,) or (B, L), ids_k (S,) or (B, S): integers, equal for tokens of one document.
    Returns (L, S) or (B, 1, L, S). Compose it with `causal` for a decoder.

    Raises TypeError or ValueError unless both are integers of one library with as many axes.

    Source: Krell et al. 2021 (arXiv:2107.02027).
    """
    check_array("ids_q", ids_q, "integral")
    check_array("ids_k", ids_k, "integral")
    check_place("ids_k", ids_k, "ids_q", ids_q)
    expect(ids_q.ndim in (1, 2), "ids_q", ids_q, "expected (L,) or (B, L)")
    batch = tuple(ids_q.shape[:-1])
    expect(tuple(ids_k.shape[:-1]) == batch, "ids_k", ids_k, f"its batch must be ids_q's {batch}")
    same = ids_q[..., :, None] == ids_k[..., None, :]
    return same[:, None] if same.ndim == 3 else same


def blocks(block_mask: Array, block: tuple[int, int], L: int, S: int) -> Array:
    """A mask that is True or False over whole blocks of bl queries and bs keys: (…, L, S).

    block_mask: Boolean (…, ⌈L / bl⌉, ⌈S / bs⌉), block = (bl, bs). The last ones may be cut off.

    Raises TypeError or ValueError unless block_mask is Boolean with these last two axes.

    Source: Child et al. 2019 (arXiv:1904.10509), section 5.5, for kernels over blocks.
    """
    bl, bs = check_blocks(block_mask, block, L, S)
    xp = array_namespace(block_mask)
    mask = xp.repeat(xp.repeat(block_mask, bl, axis=-2), bs, axis=-1)
    return mask[..., :L, :S]


def check_blocks(block_mask: Array, block: tuple[int, int], L: int, S: int) -> tuple[int, int]:
    """The block; raises TypeError or ValueError unless block_mask is Boolean and of its shape."""
    bl, bs = (
        check_count("block", size, least=1) for size in check_pair("block", block, "(bl, bs)")
    )
    check_array("block_mask", block_mask, "bool")
    rows, columns = -(-check_count("L", L) // bl), -(-check_count("S", S) // bs)
    fits = block_mask.ndim >= 2 and tuple(block_mask.shape[-2:]) == (rows, columns)
    expect(fits, "block_mask", block_mask, f"its last two axes must be ({rows}, {columns})")
    return bl, bs


def to_bias(mask: Array, dtype: Any) -> Array:
    """The additive form of a Boolean mask: 0 where it is True, −∞ where it is False.

    mask: Boolean, any shape. Returns its shape in `dtype`, a real floating dtype of its library.

    Raises TypeError if the mask is not Boolean or the dtype cannot hold −∞.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3.
    """
    check_array("mask", mask, "bool")
    xp = array_namespace(mask)
    if not xp.isdtype(dtype, "real floating"):
        raise TypeError(f"dtype is {dtype}: expected real floating")
    return xp.where(mask, xp.zeros(mask.shape, dtype=dtype, device=device(mask)), -inf)


def to_boolean(bias: Array) -> Array:
    """The Boolean form of a bias that only allows or forbids: True where it is 0.

    bias: real floats, any shape, each 0 or −∞. Returns its shape.

    Raises TypeError if the bias is not of real floats, ValueError if it has any other number: a
    Boolean mask cannot say it.
    """
    check_array("bias", bias, "real floating")
    xp = array_namespace(bias)
    if not bool(xp.all((bias == 0) | (bias == -inf))):
        raise ValueError("bias has numbers other than 0 and −∞: a Boolean mask cannot hold them")
    return bias == 0


def distance(L: int, S: int, ahead: int | None = None, *, like: Array | None = None) -> Array:
    """How far key j lies after the position of query i: integers (L, S).

    The first query stands `ahead` keys after the first key; S − L if not given.
    """
    check_count("L", L)
    check_count("S", S)
    like = np.empty(0) if like is None else like
    xp = array_namespace(like)
    i = xp.arange(L, device=device(like))[:, None]  # (L, 1)
    j = xp.arange(S, device=device(like))[None, :]  # (1, S)
    return j - (i + (S - L if ahead is None else ahead))


def near(away: Array, window: tuple[int, int]) -> Array:
    """Where a distance lies in the window (left, right)."""
    left, right = check_count("left", window[0]), check_count("right", window[1])
    return (-left <= away) & (away <= right)
