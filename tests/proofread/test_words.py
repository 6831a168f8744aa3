"""Numbers written as words have values, and are told from words that count nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofread.reading import words
from proofread.reading.literals import read, reprint
from tests.proofread.conftest import Kinds, Marks

VALUES = {
    "two": 2, "Ninety": 90, "twenty-one": 21, "seventy-seven": 77, "half": Fraction(1, 2),
    "two thirds": Fraction(2, 3), "three-quarters": Fraction(3, 4), "one eighth": Fraction(1, 8),
    "twice": 2, "one": 1, "zero": 0,
}  # fmt: skip


@pytest.mark.parametrize("word", VALUES)
def test_a_word_has_a_value_and_no_rounding(word: str) -> None:
    literal = read(word)
    assert literal.value == VALUES[word]
    assert literal.exact


@pytest.mark.parametrize("text", ["third", "twenty-oneth", "nice", "two halves", ""])
def test_other_words_have_none(text: str) -> None:
    assert words.value(text) is None


def test_every_number_below_a_hundred_is_spelt_as_it_is_read() -> None:
    for number in range(2, 100):
        word = words.spell(Fraction(number), "Three")
        assert word
        assert word[0].isupper()
        assert words.value(word) == number


def test_a_stale_word_is_replaced_by_a_word(marks: Marks) -> None:
    assert reprint(read("Three"), Fraction(8)) == "Eight"
    assert reprint(read("three", "thousand"), Fraction(8000)) == "eight"
    assert reprint(read("three"), Fraction(1, 3)) is None
    assert reprint(read("twice"), Fraction(3)) is None


TRUE = [
    "There are eight<!-- = heads --> heads, of **eight**<!-- = heads --> in all.",
    "One<!-- = A[0, 0] --> is the first, zero<!-- = A[0, 1] --> the next.",
    "It has two<!-- = k.shape[1] --> columns; the three rows of it follow.",
    "It is half of it.<!-- = half * 4 -->",
    "Two and three make it.<!-- = k.shape[1], k.shape[0] -->",
    "Eight thousand<!-- = heads * 1000 --> and two dozen<!-- = heads * 3 --> of them.",
    "Twice as many<!-- = k.shape[1] --> as before.",
    "| rows | three<!-- = len(k) --> |\n|---|---|\n| columns<!-- = k.shape[1] --> | two |",
    "## Of eight<!-- = heads --> heads",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_claim_proves_a_word(marks: Marks, text: str) -> None:
    assert marks(text) == []


@pytest.mark.parametrize("text", TRUE)
def test_a_wrong_word_is_noticed(marks: Marks, text: str) -> None:
    changes = {"eight": "nine", "Eight": "Nine", "Two": "Four", "two": "four", "Twice": "Half"}
    changes |= {"One": "Zero", "half of": "two of"}
    old = next(word for word in changes if word in text)
    assert marks(text.replace(old, changes[old], 1))


def test_the_same_word_is_a_number_where_it_measures(kinds: Kinds) -> None:
    assert kinds("The two keys have two rows.") == [("two", "structural"), ("two", "unlabelled")]
    assert kinds("Half of it is the other half.") == [("Half", "unlabelled")]
