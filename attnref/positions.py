"""Where a token stands: sinusoidal positions, added to it, and rotary ones, which turn q and k."""

from typing import Any

from array_api_compat import array_namespace, device

from attnref import Array
from attnref.checks import (
    check_array,
    check_broadcast,
    check_choice,
    check_count,
    check_number,
    check_place,
    expect,
)
from attnref.softmax import widen

LAYOUTS = ("half", "interleaved")


def sinusoidal(positions: Array, D: int, *, base: float = 10000.0) -> Array:
    """A row of sines and cosines for each position, from fast to slow: (…, n) → (…, n, D).

    Columns 2f and 2f + 1, counted from 0, hold the sine and the cosine of position · base^(−2f/D).
    positions: integers or real floats. float64, whatever they were.

    Raises TypeError or ValueError unless D is even, 2 or more, and base is above 0.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.5.
    """
    check_array("positions", positions, "integral", "real floating")
    xp = array_namespace(positions)
    angle = _angles(positions, "D", D, base)  # (…, n, D / 2)
    pairs = xp.stack([xp.sin(angle), xp.cos(angle)], axis=-1)  # (…, n, D / 2, 2)
    return xp.reshape(pairs, (*positions.shape, D))


def rope(
    x: Array,
    positions: Array,
    *,
    base: float = 10000.0,
    layout: str = "half",
    dims: int | None = None,
) -> Array:
    """Turn each pair of coordinates by an angle that grows with the position.

    x (…, n, D), positions broadcastable to (…, n), integers or real floats → x's shape and dtype.
    Pair f turns by position · base^(−2f/dims). For queries and keys turned so, a score depends on
    the positions only through their difference.

    layout   which coordinates are a pair: (f, f + dims/2) in "half", as in Llama's weights in
             the format of Hugging Face; (2f, 2f + 1) in "interleaved", as in the paper
    dims     how many coordinates turn, from the first; the rest stay as they are. D if not given

    Angles are formed in float64, whatever the dtypes of x and of the positions. What a float
    cannot tell apart stays the same: bfloat16 has one number for positions 1000 and 1001.

    Raises TypeError or ValueError that names the argument, what it was and what was expected.

    Source: Su et al. 2021 (arXiv:2104.09864), equations 15 and 34.
    """
    check_array("x", x, "real floating")
    check_array("positions", positions, "integral", "real floating")
    check_place("positions", positions, "x", x)
    check_choice("layout", layout, LAYOUTS)
    expect(x.ndim >= 2, "x", x, "expected (…, n, D)")
    D = x.shape[-1]
    dims = D if dims is None else check_count("dims", dims)
    if dims > D:
        raise ValueError(f"dims is {dims}: expected at most x's last axis, {D}")
    rows = tuple(x.shape[:-1])
    check_broadcast("positions", positions, rows)

    xp = array_namespace(x)
    wide = widen(x)
    angle = _angles(positions, "dims", dims, base)  # (…, n, dims / 2)
    cos, sin = xp.astype(xp.cos(angle), wide.dtype), xp.astype(xp.sin(angle), wide.dtype)
    first, second = _pairs(wide[..., :dims], layout)
    turned = [first * cos - second * sin, first * sin + second * cos]
    out = xp.concat([*turned, wide[..., dims:]], axis=-1)
    if layout == "interleaved":
        out = interleaved_from_half(out, dims=dims)
    return xp.astype(out, x.dtype, copy=False)


def half_from_interleaved(x: Array, *, dims: int | None = None) -> Array:
    """The same rows in the "half" layout: coordinates 0, 2, 4, … first, then 1, 3, 5, …

    x (…, D); of its last axis the first `dims` are reordered, all if not given. Applied to the
    columns of W_Q and W_K (head by head), it converts weights: scores stay what they were.

    Raises TypeError or ValueError unless dims is even and no more than D.
    """
    xp, dims = _reordered(x, dims)
    first, second = _pairs(x[..., :dims], "interleaved")
    return xp.concat([first, second, x[..., dims:]], axis=-1)


def interleaved_from_half(x: Array, *, dims: int | None = None) -> Array:
    """The inverse of `half_from_interleaved`: the two halves, woven into each other.

    Raises TypeError or ValueError unless dims is even and no more than D.
    """
    xp, dims = _reordered(x, dims)
    woven = xp.stack(_pairs(x[..., :dims], "half"), axis=-1)
    return xp.concat([xp.reshape(woven, (*x.shape[:-1], dims)), x[..., dims:]], axis=-1)


def _angles(positions: Array, name: str, dims: int, base: float) -> Array:
    """position · base^(−2f/dims) in float64: (…, n) → (…, n, dims / 2)."""
    if check_count(name, dims, least=2) % 2:
        raise ValueError(f"{name} is {dims}: expected an even number")
    xp = array_namespace(positions)
    pair = xp.arange(0, dims, 2, dtype=xp.float64, device=device(positions))  # 2f
    speed = check_number("base", base, positive=True) ** (-pair / dims)
    return xp.astype(positions, xp.float64)[..., None] * speed


def _pairs(x: Array, layout: str) -> tuple[Array, Array]:
    """The first and the second coordinate of each pair: (…, dims) → twice (…, dims / 2)."""
    half = x.shape[-1] // 2
    return (x[..., :half], x[..., half:]) if layout == "half" else (x[..., 0::2], x[..., 1::2])


def _reordered(x: Array, dims: int | None) -> tuple[Any, int]:
    check_array("x", x, "real floating")
    expect(x.ndim >= 1, "x", x, "expected (…, D)")
    dims = x.shape[-1] if dims is None else check_count("dims", dims)
    if dims > x.shape[-1] or dims % 2:
        raise ValueError(f"dims is {dims}: expected an even number, at most x's {x.shape[-1]}")
    return array_namespace(x), dims
