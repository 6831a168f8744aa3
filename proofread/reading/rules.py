"""Which numbers in prose are structural: they name a place or a thing and measure nothing.

A number that no rule here explains must be computed or cited. Rules are tried on the text with
formulas, code, comments, link targets and HTML tags masked out.
"""

from __future__ import annotations

import re

PARTS = "chapter|section|figure|table|equation|part|lab|exercise|appendix|note|rung|step|algorithm"
INDEXED = "row|column|token|key|query|head|layer|position|line|entry|question|option"
LABEL = r"\d{1,3}(?:\.\d{1,2}){0,2}(?!\d|[.,]\d|\s?[%×°])"
INTEGER = r"\d{1,3}(?![\d,.]*\d|\s?[%×°])"

REFERENCE = re.compile(
    rf"\b(?P<part>(?:{PARTS})s?)\s(?P<numbers>{LABEL}"
    rf"(?:(?:,\s|\sand\s|\sto\s|–|,\sand\s){LABEL})*)",
    re.I,
)
RULES: list[tuple[str, re.Pattern[str]]] = [
    ("reference", REFERENCE),
    (
        "index",
        re.compile(  # "row 2", "rows 1 and 2"; but "per head 128" and "layers 32" measure
            rf"(?<!per )(?<!each )(?<!every )(?<!a )(?<!an )(?<!one )(?<!the )\b(?:"
            rf"(?:{INDEXED})\s{INTEGER}|"
            rf"(?:{INDEXED})s\s{INTEGER}(?:(?:,\s|\sand\s|\sto\s|–|,\sand\s|\sor\s)\d{{1,3}}\b)+)"
            r"(?!\s?(?:[KMGT]i?B|bytes|[mµn]?s)\b)",
            re.I,
        ),
    ),
    ("ordinal", re.compile(r"\b\d{1,2}(?:st|nd|rd|th)\b(?!\spercentile)")),
    ("format", re.compile(r"\b(?:\d{1,2}-bit|[1-4]-?D)\b")),
    (
        "name",
        re.compile(  # fp16, H100, sm_90, x86; FlashAttention-2; not rank-64, not x2
            r"(?<![\w.])(?![xX](?!86\b|64\b)\d)"
            r"(?:[A-Za-z]+_?\d[\w.]*\w|[A-Za-z]+_?\d|[A-Z][A-Za-z]*[A-Za-z]-V?\d\w*)\b"
        ),
    ),
    (
        "identifier",
        re.compile(  # versions, dates, arXiv numbers
            r"(?<![\w.])\d+\.\d+\.\d+\b(?!\.\d)|\b(?:19|20)\d\d-\d\d-\d\d\b|(?<=arXiv:)\d{4}\.\d{4,5}\b"
        ),
    ),
]
HEADING_NUMBER = re.compile(r"\s*(\d+)\.\s")
LOCAL = "figure|table|step|exercise|algorithm"  # numbered within a page


def names(listed: tuple[str, ...]) -> tuple[str, re.Pattern[str]] | None:
    """A rule for the proper names that the project lists: Llama 2, Mistral 7B, …"""
    if not listed:
        return None
    return "name", re.compile(r"\b(?:" + "|".join(map(re.escape, listed)) + r")\b")


# A number word after one of these refers back: "the three keys", "its five steps" and "both two"
# speak of things that are on the page already, and that the page has counted where it brought
# them in. Not so after every, each, per, another, or a verb: "every six layers" measures.
DEFINITE = re.compile(
    r"(?:\b(?:the|these|those|its|their|his|our|your|my|whose|all|both|same|other|first|next|last|"
    r"remaining|any|no|between)|['’]s)\s+$",
    re.I,
)
RANGE = re.compile(r"\bbetween\s+$", re.I)  # "between two and three digits" measures
FORMAT = re.compile(r"-(?:bit|dimensional)\b")  # as 16-bit and 3-D are


def mention(text: str, start: int, end: int) -> str:
    """The rule that explains a number word at this place, or nothing."""
    if FORMAT.match(text, end):
        return "format"
    before = text[:start].rstrip("*_\"'“‘(")
    if RANGE.search(before) and re.match(r"\s+(?:and|or)\b", text[end:]):
        return ""
    return "mention" if DEFINITE.search(before) else ""
