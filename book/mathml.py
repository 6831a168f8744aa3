"""LaTeX to MathML at build time, with the book's letters in the book's colours."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET

from markdown.postprocessors import Postprocessor
from math_core import LatexError, LatexToMathML

TEX = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)
CONVERTER = LatexToMathML(fancy_error=False)
NOTATION = {letter: letter.lower() for letter in "QqKkVvAaOos"}  # letter -> class of its colour
INDEXED = {"msub", "msubsup"}  # a subscript is an index, not the thing itself


class Formulas(Postprocessor):
    """Replaces what arithmatex set aside."""

    def run(self, text: str) -> str:
        return TEX.sub(self.convert, text)

    def convert(self, found: re.Match[str]) -> str:
        tag, bracket, tex = found[1], found[2], html.unescape(found[3]).strip()
        return f'<{tag} class="math">{typeset(tex, display=bracket == "[")}</{tag}>'


def typeset(tex: str, *, display: bool = False) -> str:
    """A formula as a <math> element."""
    try:
        source = CONVERTER.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:  # proofread has read each formula before: it names the line
        raise ValueError(f"cannot typeset {tex!r}: {error}") from None
    root = ET.fromstring(source.replace("&ApplyFunction;", "\N{FUNCTION APPLICATION}"))
    _colour(root)
    return ET.tostring(root, encoding="unicode")


class Punctuation(Postprocessor):
    """Keeps a formula and the full stop after it on one line."""

    FORMULA = re.compile(
        r'((?:<data[^>]*><a[^>]*>)?<span class="math">(?:(?!</span>).)*</span>(?:</a></data>)?)'
        r"([.,;:!?)]+)",
        re.S,
    )

    def run(self, text: str) -> str:
        return self.FORMULA.sub(r'<span class="nowrap">\1\2</span>', text)


def _colour(node: ET.Element) -> None:
    """Give every Q, K, V, A, O (and q, k, v, a, o, s) that is not an index its class."""
    for position, child in enumerate(node):
        if node.tag in INDEXED and position:
            continue
        if child.tag == "mi" and child.text in NOTATION:
            child.set("class", f"c-{NOTATION[child.text]}")
        _colour(child)
