"""What a printed number says: its value, the size of one step in its last place, its unit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction

from proofread.reading import words

Number = Fraction | float  # float only for infinities and results of sqrt, exp, sin, …

UNITS: dict[str, Number] = {
    "%": Fraction(1, 100),
    "percent": Fraction(1, 100),
    "×": 1,
    "times": 1,
    "-fold": 1,
    "°": math.pi / 180,
    "bytes": 1,
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
    "dozen": 12,
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "s": 1,
    "ms": Fraction(1, 10**3),
    "µs": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
    "GB/s": 10**9,
    "TB/s": 10**12,
    "GFLOP/s": 10**9,
    "TFLOP/s": 10**12,
    "PFLOP/s": 10**15,
}
BYTES = {"", *(unit for unit in UNITS if unit.endswith("B") or unit == "bytes")}
VULGAR = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅛": Fraction(1, 8)}

SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
POWER = r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?![⁰¹²³⁴⁵⁶⁷⁸⁹])"
TEN = rf"10(?:\^\{{?(?P<ten>[-−]?\d{{1,3}}(?!\d))\}}?|(?P<tens>{POWER}))"
DIGITS = r"(?:\d{1,3}(?:(?:,|\{,\}|\\,|\u202f)\d{3})+(?!\d)|\d+)(?:\.\d+)?"
LITERAL = re.compile(
    rf"(?P<sign>[-−+])?(?:(?P<hole>\?+(?:\.\?+)?)"
    rf"|(?P<vulgar>[½¼¾⅛])|(?P<inf>∞)"
    rf"|(?P<num>\d+)/(?P<den>0*[1-9]\d*)(?![\d/.])"
    rf"|(?P<digits>{DIGITS})(?:[eE](?P<e>[-−+]?\d{{1,3}}(?!\d))"
    rf"|\s?(?:×|·|\\times|\\cdot)\s*{TEN}"
    rf"|(?P<power>{POWER}))?)"
)


@dataclass(frozen=True)
class Literal:
    """One printed number.

    Rounded to its last place, unless it is exact: a whole number (of things or of bytes: readers
    take it for a count), ½, 10⁻⁶, a word. `about` is True where the page says "about 300" or ≈ 300.
    """

    text: str
    value: Number | None  # in printed units; None for a `?` that asks to be filled in
    step: Fraction
    unit: str = ""
    about: bool = False

    @property
    def scale(self) -> Number:
        """What one printed unit is worth in the units of the code."""
        return UNITS.get(self.unit, 1)

    @property
    def exact(self) -> bool:
        whole = self.step == 1 and self.unit in BYTES and not self.about
        return self.step == 0 or whole

    def negated(self) -> Literal:
        return self if self.value is None else replace(self, value=-self.value)

    def moved(self, steps: float) -> Literal:
        """The same literal, changed by so many steps of its last digit."""
        by = Fraction(steps) * (self.step or 1)
        return self if self.value is None else replace(self, value=self.value + by)


def read(text: str, unit: str = "") -> Literal:
    """Parse a number as printed in prose, code marks or TeX."""
    if (word := words.value(text)) is not None:
        return Literal(text, word, Fraction(0), unit)
    found = LITERAL.fullmatch(text)
    if not found:
        raise ValueError(f"not a number: {text!r}")
    sign = -1 if found["sign"] in ("-", "−") else 1
    if found["hole"]:
        return Literal(text, None, Fraction(1, 10 ** decimals(text)), unit)
    if found["inf"]:
        return Literal(text, sign * math.inf, Fraction(0), unit)
    if found["vulgar"]:
        return Literal(text, sign * VULGAR[found["vulgar"]], Fraction(0), unit)
    if found["num"]:
        return Literal(
            text, sign * Fraction(int(found["num"]), int(found["den"])), Fraction(0), unit
        )
    mantissa = Fraction(re.sub(r"[^\d.]", "", found["digits"]))
    step = Fraction(1, 10 ** decimals(found["digits"]))
    if found["power"]:
        value = Fraction(mantissa) ** int(found["power"].translate(SUPERSCRIPT))
        return Literal(text, sign * value, Fraction(0), unit)
    ten = found["e"] or found["ten"] or (found["tens"] or "0").translate(SUPERSCRIPT)
    scale = Fraction(10) ** int(ten.replace("−", "-"))
    return Literal(text, sign * mantissa * scale, step * scale, unit)


def decimals(text: str) -> int:
    return len(text.partition(".")[2])


def reprint(literal: Literal, value: Number) -> str | None:
    """The text that should stand where `literal` stands; None where a person has to decide."""
    shown: Number = value / literal.scale
    if words.value(literal.text) is not None:
        return words.spell(shown, literal.text) if isinstance(shown, Fraction) else None
    found = LITERAL.fullmatch(literal.text)
    if not found or math.isinf(shown) or found["inf"] or found["power"] or found["num"]:
        return None
    minus = "-" if literal.text.startswith("-") else "−"
    sign = minus if shown < 0 else ""
    exact, exponent = abs(Fraction(shown)), None
    style = found["digits"] or found["hole"] or ""
    if found["hole"] and "." not in style and exact.denominator != 1:
        style = "?.????"
    for key in ("e", "ten", "tens"):
        if found["digits"] and found[key]:
            exponent = math.floor(math.log10(exact)) if exact else 0
            exact /= Fraction(10) ** exponent
    comma = next((c for c in ("{,}", "\\,", ",", "\u202f") if c in style), "")
    body = _fixed(exact, decimals(style)).replace(",", comma)
    if exponent is None:
        return sign + body
    old = found["e"] or found["ten"] or found["tens"]
    new = str(exponent)
    if found["tens"]:
        new = new.translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    head, _, tail = literal.text[found.end("digits") :].rpartition(old)
    return sign + body + head + new + tail


def _fixed(number: Fraction, places: int) -> str:
    """Like f"{number:,.{places}f}", exactly."""
    whole, part = divmod(round(number * 10**places), 10**places)
    return f"{whole:,}" + (f".{part:0{places}d}" if places else "")
