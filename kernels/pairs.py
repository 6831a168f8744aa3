"""What the kernels of attention share: where tiles lie, which pairs take part, what scores become.

A program has a tile of rows and goes through tiles of their partners: queries through keys, or
keys through queries. Scores are kept to base 2, as GPUs have 2^x and no e^x.
"""

from math import e, log, log2
from typing import Any, NamedTuple

import torch
import triton
import triton.language as tl

LN_2 = tl.constexpr(log(2))
LOG2_E = tl.constexpr(log2(e))


class Plan(NamedTuple):
    """What a kernel is compiled for. No length is among it: one binary serves them all."""

    D: Any  # width of queries and keys
    DV: Any  # width of values
    BLOCK_D: Any  # the two, rounded up to powers of two
    BLOCK_DV: Any
    BLOCK_L: Any  # queries in a tile
    BLOCK_S: Any  # keys in a tile
    LEFT: Any  # whether keys can be too far to the left of a query, or to its right
    RIGHT: Any
    MASK: Any  # "", "bias", "boolean", or "blocks" of which tiles seen whole are known
    MASK_L: Any  # how many queries, and how many keys, share an element of the mask
    MASK_S: Any
    CAPPED: Any  # whether there is a softcap
    DESCRIPTORS: Any  # keys and values come as tensor descriptors, through the card's copy engine
    SIGN: Any  # of the scale, which q takes on: the scale that kernels get is positive


class Matrix(NamedTuple):
    """A tensor (B, H, rows, columns) as kernels take it: where it begins, and its strides."""

    ptr: Any
    b: Any
    h: Any
    row: Any
    column: Any = 0  # if there is one


def matrix(x: torch.Tensor | None) -> Matrix | None:
    return None if x is None else Matrix(x, *x.stride())


@triton.jit
def place(x: Matrix, b: tl.tensor, h: tl.tensor, rows: tl.tensor, columns: tl.tensor) -> tl.tensor:
    """Where the elements of a tile are: (rows, columns). Offsets can pass 2³¹."""
    rows, columns = rows.to(tl.int64), columns.to(tl.int64)
    return x.ptr + b * x.b + h * x.h + rows[:, None] * x.row + columns[None, :] * x.column


@triton.jit
def fetch(
    x: Matrix,  # or a descriptor of tiles (1, 1, rows, columns)
    b: tl.tensor,
    h: tl.tensor,
    x_from: tl.tensor,  # where its sequence begins
    first: tl.tensor,
    rows: tl.tensor,  # first, first + 1, …
    N: tl.tensor,
    columns: tl.tensor,
    WIDTH: tl.constexpr,
    CUT: tl.constexpr,  # whether some of the rows may be N or beyond
    plan: Plan,
) -> tl.tensor:
    """A tile of a matrix (N, WIDTH), 0 beside it: (rows, columns)."""
    if plan.DESCRIPTORS:
        tile = x.load([b.to(tl.int32), h.to(tl.int32), first, 0])  # type: ignore[attr-defined]
        return tile.reshape(rows.shape[0], columns.shape[0])
    else:
        return load(x, b, h, x_from, rows, N, columns, WIDTH, CUT)


@triton.jit
def load(
    x: Matrix,
    b: tl.tensor,
    h: tl.tensor,
    x_from: tl.tensor,
    rows: tl.tensor,
    N: tl.tensor,
    columns: tl.tensor,
    WIDTH: tl.constexpr,
    CUT: tl.constexpr,
) -> tl.tensor:
    """The same, number by number."""
    tile = place(x, b, h, x_from + rows, columns)
    RAGGED: tl.constexpr = columns.shape[0] > WIDTH
    if CUT and RAGGED:
        return tl.load(tile, mask=(rows[:, None] < N) & (columns[None, :] < WIDTH), other=0.0)
    elif CUT:
        return tl.load(tile, mask=rows[:, None] < N, other=0.0)
    elif RAGGED:
        return tl.load(tile, mask=columns[None, :] < WIDTH, other=0.0)
    else:
        return tl.load(tile)


@triton.jit
def along(x: Matrix, b: tl.tensor, h: tl.tensor, rows: tl.tensor) -> tl.tensor:
    """Where the elements of a tile of a matrix with one column are: (rows,)."""
    return x.ptr + b * x.b + h * x.h + rows.to(tl.int64) * x.row


@triton.jit
def sequence(
    ends_q: tl.tensor, ends_k: tl.tensor, b: tl.tensor, L: tl.tensor, S: tl.tensor
) -> tl.tuple:
    """Where queries and keys of sequence b begin, and how many they are."""
    q_from, k_from = 0, 0
    if ends_q is not None:
        q_from, k_from = tl.load(ends_q + b).to(tl.int32), tl.load(ends_k + b).to(tl.int32)
        L = tl.load(ends_q + b + 1).to(tl.int32) - q_from
        S = tl.load(ends_k + b + 1).to(tl.int32) - k_from
    return q_from, k_from, L, S


@triton.jit
def span(
    first: tl.tensor,
    last: tl.tensor,
    low: tl.tensor,
    high: tl.tensor,
    N: tl.tensor,
    BLOCK: tl.constexpr,
    LOW: tl.constexpr,
    HIGH: tl.constexpr,
) -> tl.tuple:
    """Which tiles of BLOCK partners the rows first … last need, as four numbers a ≤ b ≤ c ≤ d.

    Row r sees the partners r + low … r + high of N: from the first on without LOW, to the last
    without HIGH. Of tiles b … c every row sees all, of a … b and c … d some row sees some.
    """
    begin, end = 0, N  # of what some row sees
    all_begin, all_end = 0, N  # of what every row sees
    if LOW:
        begin = tl.maximum(0, first + low)
        all_begin = tl.maximum(0, last + low)
    if HIGH:
        end = tl.minimum(N, last + high + 1)
        all_end = tl.maximum(0, tl.minimum(N, first + high + 1))
    a = begin // BLOCK
    d = tl.maximum(a, tl.cdiv(end, BLOCK))
    b = tl.minimum(tl.cdiv(all_begin, BLOCK), d)
    c = tl.maximum(b, all_end // BLOCK)
    return a, b, c, d


@triton.jit
def chosen(listed: tl.tensor, needed: Matrix) -> tl.tuple:
    """The same four numbers, of a list: how many tiles are whole, how many in part, which."""
    whole = tl.load(listed)
    return 0, 0, whole, whole + tl.load(listed + needed.column)


@triton.jit
def scored(
    raw: tl.tensor,  # q kᵀ
    i: tl.tensor,  # queries, along one axis of raw
    j: tl.tensor,  # keys, along the other
    band: tl.tuple,
    mask: Matrix,
    b: tl.tensor,
    h: tl.tensor,
    scaling: tl.tuple,
    plan: Plan,
    edge: tl.tensor,  # whether some of these pairs may lie outside
) -> tl.tuple:
    """The scores in units of `unit`, −∞ for pairs that take no part, and how the cap slopes."""
    L, S, left, right = band
    scale, cap = scaling
    scores, slope = raw, 1.0
    if plan.CAPPED:
        bent = tanh(raw * (scale / cap))
        scores, slope = bent * (cap * LOG2_E), 1.0 - bent * bent
    elif plan.MASK == "bias":
        scores = raw * (scale * LOG2_E)
    if plan.MASK == "bias" or plan.MASK == "boolean":
        scores = masked(scores, i, j, L, S, mask, b, h, plan)
    if edge:
        # Of a tile that lies in one block the list knows all.
        IN_ONE: tl.constexpr = plan.MASK_L % plan.BLOCK_L + plan.MASK_S % plan.BLOCK_S == 0
        if plan.MASK == "blocks" and not IN_ONE:
            scores = masked(scores, i, j, L, S, mask, b, h, plan)
        both = (i < L) & (j < S)
        if plan.LEFT:
            both = both & (j >= i + (S - L) - left)
        if plan.RIGHT:
            both = both & (j <= i + (S - L) + right)
        scores = tl.where(both, scores, float("-inf"))
    return scores, slope


@triton.jit
def masked(
    scores: tl.tensor,
    i: tl.tensor,
    j: tl.tensor,
    L: tl.tensor,
    S: tl.tensor,
    mask: Matrix,
    b: tl.tensor,
    h: tl.tensor,
    plan: Plan,
) -> tl.tensor:
    """The scores with a bias added, or −∞ where the mask says no."""
    rows, columns = (i // plan.MASK_L).to(tl.int64), (j // plan.MASK_S).to(tl.int64)
    at = mask.ptr + b * mask.b + h * mask.h + rows * mask.row + columns * mask.column
    there = (i < L) & (j < S)
    if plan.MASK == "bias":
        return scores + tl.load(at, mask=there, other=0.0).to(tl.float32) * LOG2_E
    else:
        return tl.where(tl.load(at, mask=there, other=0) != 0, scores, float("-inf"))


@triton.jit
def signed(q: tl.tensor, plan: Plan) -> tl.tensor:
    """Queries for a scale that is not negative."""
    if plan.SIGN != 1:
        q = (q.to(tl.float32) * plan.SIGN).to(q.dtype)
    return q


@triton.jit
def unit(scale: tl.tensor, plan: Plan) -> tl.tensor:
    """What `scored` has left to multiply by: scores · unit are the scores to base 2."""
    return 1.0 if plan.CAPPED or plan.MASK == "bias" else scale * LOG2_E


@triton.jit
def tanh(x: tl.tensor) -> tl.tensor:
    """The hyperbolic tangent, to the last bits of float32."""
    t = tl.exp2(tl.abs(x) * (-2 * LOG2_E))
    far = (1 - t) / (1 + t)  # near 0 the difference loses digits, and a short series does better
    z = x * x
    series = 62 / 2835 + z * (-1382 / 155925 + z * (21844 / 6081075))
    series = 1 + z * (-1 / 3 + z * (2 / 15 + z * (-17 / 315 + z * series)))
    return tl.where(z < 0.25, x * series, tl.where(x < 0, -far, far))
