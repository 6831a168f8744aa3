"""Numbers written as words: two, twenty-one, three thousand, a dozen, two thirds, twice, half.

"one" and "once" are articles more often than numbers, and are numbers only where a claim touches
them; so is "zero". "Twice" and "half" are numbers where they measure: "twice as many", "half of
them", but not "run it twice" or "the other half".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}

WORDS: dict[str, Fraction] = {word: Fraction(n) for n, word in enumerate(SMALL)}
WORDS |= {word: Fraction(10 * n) for n, word in enumerate(TENS, 2)}
WORDS |= {f"{ten}-{one}": WORDS[ten] + n for ten in TENS for n, one in enumerate(SMALL[:10]) if n}
WORDS |= {"once": Fraction(1), "twice": Fraction(2), "half": Fraction(1, 2), "a": Fraction(1)}

_COUNT = rf"(?:(?:{'|'.join(TENS)})(?:-(?:{'|'.join(SMALL[1:10])})\b)?|{'|'.join(SMALL[:1:-1])})"
_ORDINAL = r"-(?:first|second|third|\w+th)\b"  # twenty-first
_OF = "of|the|as|its|their|that|this|what|a|an|over"
_SCALES = "hundred|thousand|million|billion|trillion|dozen"
WORD = re.compile(
    rf"(?P<part>(?:one|{_COUNT})[\s-](?:{'|'.join(PARTS)})s?)\b"
    rf"|(?P<word>one|zero|half|twice|{_COUNT})(?P<unit>\s(?:times|percent)\b|-fold\b)"
    rf"|(?P<many>a|one|{_COUNT})(?P<scale>[\s-](?:{_SCALES})\b)"
    rf"|(?P<count>{_COUNT})\b(?!{_ORDINAL})(?!['’])"
    rf"|(?P<twice>twice)(?=\s(?:{_OF})\b)"
    rf"|(?<!\bother )(?<!\bfirst )(?<!\bsecond )(?P<half>half)"
    rf"(?:(?=\s(?:{_OF})\b)|\b(?:(?<=\bby half)|(?<=\ba half)|(?<=\bin half)|(?<=\bone half)))",
    re.I,
)
_LETTERS = re.compile(r"(?<![\w'’])[A-Za-z]+")
_FIRST = {*SMALL, *TENS, "twice", "half", "a"}


def find(text: str) -> Iterator[re.Match[str]]:
    """The number words of a text, in order."""
    end = 0
    for letters in _LETTERS.finditer(text):
        if letters.start() < end or letters[0].lower() not in _FIRST:
            continue
        if found := WORD.match(text, letters.start()):
            end = found.end()
            yield found


def value(text: str) -> Fraction | None:
    """What a number word is worth, or None if it is none."""
    word = " ".join(text.lower().split())
    if word in WORDS:
        return WORDS[word]
    count, _, part = word.replace("-", " ").removesuffix("s").rpartition(" ")
    whole = WORDS.get(count.replace(" ", "-"))
    return whole / PARTS[part] if whole is not None and part in PARTS else None


def spell(number: Fraction, like: str) -> str | None:
    """The word for a number, with a capital if `like` has one; None where words get clumsy."""
    word = next((w for w, n in WORDS.items() if n == number and w not in ("a", "once")), None)
    if word is None or (word == "twice") or like.lower() in ("twice", "a"):
        return None
    return word.capitalize() if like[:1].isupper() else word
