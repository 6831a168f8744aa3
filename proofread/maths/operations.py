"""Operations on printed numbers: exact on fractions; nested lists are vectors and matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofread.reading.literals import Number

Result = Any  # a Number, or nested lists of them for vectors and matrices


class Symbolic(ValueError):
    """There is something here that has no numeric meaning."""


def flat(result: Result) -> list[Number]:
    if isinstance(result, list):
        return [number for part in result for number in flat(part)]
    return [result]


def add(a: Result, b: Result) -> Result:
    return _each(lambda x, y: x + y, a, b)


def sub(a: Result, b: Result) -> Result:
    return _each(lambda x, y: x - y, a, b)


def neg(a: Result) -> Result:
    return _each(lambda x, _: -x, a, Fraction(0))


def div(a: Result, b: Result) -> Result:
    return _each(lambda x, y: x / y, a, b)


def mul(a: Result, b: Result) -> Result:
    """Scalars scale; vectors next to each other are dotted; matrices are multiplied."""
    if not (isinstance(a, list) and isinstance(b, list)):
        return _each(lambda x, y: x * y, a, b)
    if isinstance(a[0], list):
        return [mul(row, b) for row in a]
    if isinstance(b[0], list):
        return [mul(a, column) for column in transpose(b)]
    return sum(_each(lambda x, y: x * y, a, b), Fraction(0))


def power(a: Result, b: Result) -> Result:
    def one(x: Number, y: Number) -> Number:
        if isinstance(y, Fraction) and y.denominator == 1 and abs(y) < 10_000:
            return x ** int(y)
        return math.pow(x, y)

    return _each(one, a, b)


def sqrt(a: Result) -> Result:
    def one(x: Number, _: Number) -> Number:
        if isinstance(x, Fraction) and x >= 0:
            root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
            if root * root == x:
                return root
        return math.sqrt(x)

    return _each(one, a, Fraction(0))


def exp(a: Result) -> Result:
    return _each(lambda x, _: math.exp(x) if x else Fraction(1), a, Fraction(0))


def transpose(a: Result) -> Result:
    return [list(column) for column in zip(*a, strict=True)]


def infinity() -> Number:
    return math.inf


def minus_infinity() -> Number:
    return -math.inf


def pi() -> Number:
    return math.pi


INFINITIES = (infinity, minus_infinity)
FUNCTIONS: dict[str, Callable[..., Result]] = {
    "exp": exp,
    "ln": math.log,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "max": lambda *xs: max(xs),
    "min": lambda *xs: min(xs),
}


def _each(function: Callable[[Any, Any], Number], a: Result, b: Result) -> Result:
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            raise Symbolic(f"shapes do not agree: {len(a)} and {len(b)}")
        return [_each(function, x, y) for x, y in zip(a, b, strict=True)]
    if isinstance(a, list):
        return [_each(function, x, b) for x in a]
    if isinstance(b, list):
        return [_each(function, a, y) for y in b]
    return function(a, b)
