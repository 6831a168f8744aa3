"""What code says about one expression: plain data, which can be kept and compared."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from proofread.maths.operations import Result
from proofread.reading.literals import Number
from proofread.values import Value, flatten, shape


class Ask(NamedTuple):
    """An expression, and what the i and j of a `let` stand for in it."""

    expression: str
    subscripts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Said:
    values: tuple[Value, ...] = ()  # every number in it, in reading order
    shape: tuple[int, ...] | None = None
    text: str = ""
    error: str = ""  # why it is no number or has no value at all
    missing: str = ""  # the name that is not defined, if that is why

    @property
    def nested(self) -> Result:
        """A number, or nested lists of them, for arithmetic."""
        numbers: list[Any] = [value.number for value in self.values]
        for size in reversed((self.shape or ())[1:]):
            numbers = [numbers[i : i + size] for i in range(0, len(numbers), size)]
        return numbers[0] if self.shape == () else numbers

    def agrees(self, other: Said) -> bool:
        """True if both say the same, as far as two runs of a deterministic program can."""
        if len(self.values) != len(other.values) or self.error != other.error:
            return False
        return all(map(_close, self.values, other.values)) if self.values else True


def say(result: Any, source: str) -> Said:
    """Describe what an expression came to."""
    text = str(result)
    try:
        return Said(tuple(flatten(result, source)), shape(result), text)
    except Exception as error:  # a result may be anything, and fail in any way
        return Said(text=text, error=f"{type(error).__name__}: {error}")


def to_json(said: Said) -> list[Any]:
    values = [value_to_json(value) for value in said.values]
    return [values, said.shape, said.text, said.error, said.missing]


def from_json(data: list[Any]) -> Said:
    values, size, text, error, missing = data
    return Said(
        tuple(value_from_json(value) for value in values),
        None if size is None else tuple(size),
        text,
        error,
        missing,
    )


def value_to_json(value: Value) -> list[Any]:
    return [*_number(value.number), value.noise, value.source, value.dtype]


def value_from_json(data: list[Any]) -> Value:
    over, under, noise, source, dtype = data
    number: Number = Fraction(over, under) if under else float(over)
    return Value(number, noise, source, dtype)


def _number(number: Number) -> tuple[Any, int]:
    """A fraction as its two whole numbers; an infinity or NaN as its name over nothing."""
    if isinstance(number, Fraction):
        return number.numerator, number.denominator
    return str(number), 0


def _close(a: Value, b: Value) -> bool:
    if not (isinstance(a.number, Fraction) and isinstance(b.number, Fraction)):
        return str(a.number) == str(b.number)
    return abs(a.number - b.number) <= Fraction(a.noise) + Fraction(b.noise)
