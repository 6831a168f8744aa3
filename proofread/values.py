"""What code says: results of claims, flattened to numbers that remember how exact they are."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofread.maths.operations import Result
from proofread.reading.literals import Literal, Number

EPS = {"bfloat16": 2**-8, "float16": 2**-11, "float32": 2**-24, "float64": 2**-53}
ULPS = 8  # how far a result may move between two machines that are both right


@dataclass(frozen=True)
class Value:
    """One number that code computed, and how much of it is noise."""

    number: Number
    noise: float
    source: str = ""  # the expression, with an index where it gave several
    dtype: str = "int"

    def __str__(self) -> str:
        if isinstance(self.number, Fraction) and self.number.denominator == 1:
            return str(self.number)
        return f"{float(self.number):.10g}"


def flatten(result: Any, source: str = "") -> list[Value]:
    """Every number in a scalar, array, tensor, list or other iterable, in reading order."""
    dtype = str(getattr(result, "dtype", "")).rpartition(".")[2]
    if hasattr(result, "tolist"):
        result = result.tolist()
    if isinstance(result, dict):
        result = result.values()
    if isinstance(result, numbers.Real) or hasattr(result, "as_integer_ratio"):
        return [_value(result, source, dtype)]
    if isinstance(result, Iterable) and not isinstance(result, (str, bytes)):
        parts = [flatten(part, f"{source}[{i}]" if source else "") for i, part in enumerate(result)]
        leaves = [leaf for part in parts for leaf in part]
        if dtype:
            return [_value(leaf.number, leaf.source, dtype) for leaf in leaves]
        return leaves
    raise TypeError(f"{source} is {type(result).__name__}, not a number or numbers")


def exact(result: Any) -> Result:
    """The same number or nested lists, as exact fractions, for arithmetic."""
    if hasattr(result, "tolist"):
        result = result.tolist()
    if isinstance(result, (list, tuple)):
        return [exact(part) for part in result]
    return flatten(result)[0].number


def shape(result: Any) -> tuple[int, ...] | None:
    """The shape of an array or regular nested list; None where there is none to compare."""
    if isinstance(getattr(result, "shape", None), tuple):
        return tuple(result.shape)
    if isinstance(result, (list, tuple)):
        inner = {shape(part) for part in result}
        first = inner.pop() if len(inner) == 1 else None
        return None if first is None else (len(result), *first)
    return () if isinstance(result, numbers.Real) else None


def compare(literal: Literal, value: Value) -> str:
    """'same', 'differs', or 'tie' where rounding depends on noise or on the rule for halves."""
    if literal.value is None:
        return "differs"
    number, printed = value.number, literal.value
    if not (_finite(number) and _finite(printed)):
        return "same" if number == printed else "differs"
    shown = Fraction(number) / Fraction(literal.scale)
    noise = Fraction(value.noise) / Fraction(literal.scale)
    distance, size = abs(shown - Fraction(printed)), abs(shown)
    if isinstance(literal.scale, float):
        noise += size * ULPS * Fraction(EPS["float64"])
    if literal.exact:
        eps = EPS.get(value.dtype, EPS["float64"])
        loss = Fraction(math.pow(eps, 2 / 3) if value.noise else 0)
        scale = max(size, abs(Fraction(printed))) if printed else max(Fraction(1), size)
        return "same" if distance <= noise + loss * scale else "differs"
    if distance + noise < literal.step / 2:
        return "same"
    return "differs" if distance - noise > literal.step / 2 else "tie"


def _value(number: Any, source: str, dtype: str) -> Value:
    if not _finite(number):
        return Value(number, 0.0, source, dtype or "float64")
    exact = (
        Fraction(number)
        if isinstance(number, (float, numbers.Rational))
        else (Fraction(*number.as_integer_ratio()))
    )
    integral = isinstance(number, numbers.Rational) and "float" not in dtype
    ulps = ULPS * EPS.get(dtype, EPS["float64"])  # first, or the largest floats would overflow
    noise = 0.0 if integral else abs(float(exact)) * ulps
    return Value(exact, noise, source, dtype or ("int" if integral else "float64"))


def _finite(number: Any) -> bool:
    """A fraction is, however large: it may round up to more than the largest float."""
    return not isinstance(number, float) or math.isfinite(number)
