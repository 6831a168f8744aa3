"""What arguments have to be. Errors name the argument, what it was and what was expected."""

from collections.abc import Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any

from array_api_compat import array_namespace, device, is_array_api_obj

from attnref import Array


def check_array(name: str, x: Array, *kinds: str) -> None:
    """Raises TypeError unless x is an array with a dtype of one of these kinds (`xp.isdtype`)."""
    if not is_array_api_obj(x):
        raise TypeError(f"{name} is a {type(x).__name__}: expected an array")
    if not array_namespace(x).isdtype(x.dtype, kinds):
        raise TypeError(f"{name} has dtype {x.dtype}: expected {' or '.join(kinds)}")


def check_arrays(q: Array, k: Array, v: Array) -> None:
    """Raises TypeError or ValueError unless the three are of one kind and their shapes agree."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        check_kin(name, x, "q", q)

    expect(q.ndim >= 2, "q", q, "expected (L, D) or (…, Hq, L, D)")
    expect(q.shape[-1] > 0, "q", q, "its last axis must be 1 or more")
    expect(k.ndim == q.ndim, "k", k, f"it must have as many axes as q, {q.ndim}")
    expect(v.ndim == q.ndim, "v", v, f"it must have as many axes as q, {q.ndim}")
    expect(k.shape[-1] == q.shape[-1], "k", k, f"its last axis must be q's {q.shape[-1]}")
    expect(k.shape[:-3] == q.shape[:-3], "k", k, f"its batch must be q's {tuple(q.shape[:-3])}")
    expect(v.shape[:-1] == k.shape[:-1], "v", v, f"it must start as k, {tuple(k.shape[:-1])}")
    if q.ndim > 2:
        check_heads("k", k, q.shape[-3], k.shape[-3])


def check_heads(name: str, k: Array, Hq: int, Hkv: int) -> None:
    """Raises ValueError unless the Hkv heads of k can be shared out among Hq query heads."""
    divides = Hq % Hkv == 0 if Hkv else Hq == 0
    expect(divides, name, k, f"its {Hkv} heads must divide q's {Hq}")


def check_place(name: str, x: Array, other: str, y: Array) -> None:
    """Raises TypeError unless x belongs to the library and device of y, which is called `other`."""
    if array_namespace(x) is not array_namespace(y) or device(x) != device(y):
        raise TypeError(f"{name} is {_place(x)}: expected {_place(y)}, as {other}")


def check_kin(name: str, x: Array, other: str, y: Array) -> None:
    """Raises TypeError unless x holds real floats in the library, device and dtype of y."""
    check_array(name, x, "real floating")
    check_place(name, x, other, y)
    if x.dtype != y.dtype:
        raise TypeError(f"{name} has dtype {x.dtype}: expected {other}'s {y.dtype}")


def check_mask(mask: Array, q: Array, shape: tuple[int, ...]) -> None:
    """Raises TypeError or ValueError unless the mask can be laid over q's scores, of this shape."""
    check_array("mask", mask, "bool", "real floating")
    check_place("mask", mask, "q", q)
    check_broadcast("mask", mask, shape)


def check_broadcast(name: str, x: Array, shape: tuple[int, ...]) -> None:
    """Raises ValueError unless x can be broadcast to this shape."""
    sizes = zip(reversed(x.shape), reversed(shape), strict=False)
    fits = x.ndim <= len(shape) and all(m in (1, n) for m, n in sizes)
    expect(fits, name, x, f"it must broadcast to {shape}")


def check_shape(name: str, x: Array, shape: Sequence[int | None], letters: str) -> None:
    """Raises ValueError unless x has this shape; None stands for any length."""
    fits = x.ndim == len(shape) and all(m in (None, n) for m, n in zip(shape, x.shape, strict=True))
    if not fits:
        plain = "(" + ", ".join("any" if n is None else str(n) for n in shape) + ")"
        expect(False, name, x, f"expected {letters}, here {plain}")


def check_number(name: str, value: Any, *, positive: bool = False) -> float:
    """The value as a float; raises TypeError or ValueError unless it is a finite number."""
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}: expected a number")
    if not isfinite(value) or (positive and value <= 0):
        raise ValueError(f"{name} is {value!r}: expected a finite number{' above 0' * positive}")
    return float(value)


def check_count(name: str, value: Any, *, least: int = 0) -> int:
    """The value as an int; raises TypeError or ValueError unless it is whole and not too small."""
    if not isinstance(value, Integral):
        raise TypeError(f"{name} is {value!r}: expected a whole number")
    if value < least:
        raise ValueError(f"{name} is {value!r}: expected {least} or more")
    return int(value)


def check_pair(name: str, value: Any, of: str = "(left, right)") -> tuple[Any, Any]:
    """Raises TypeError unless value is a pair."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{name} is {value!r}: expected a pair {of}")
    return value[0], value[1]


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raises ValueError unless value is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r}: expected {' or '.join(map(repr, choices))}")


def expect(holds: bool, name: str, x: Array, expected: str) -> None:
    """Raises ValueError that tells x's shape and what was expected, unless that holds."""
    if not holds:
        raise ValueError(f"{name} has shape {tuple(x.shape)}: {expected}")


def _place(x: Array) -> str:
    return f"a {type(x).__module__}.{type(x).__name__} on {device(x)}"
