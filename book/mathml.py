"""LaTeX to MathML Core at build time, with the book's letters in the book's colours."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET

from markdown import Extension
from markdown.postprocessors import Postprocessor
from math_core import LatexError, LatexToMathML

TEX = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)
NOTATION = {
    "Q": "q",
    "q": "q",
    "K": "k",
    "k": "k",
    "V": "v",
    "v": "v",
    "A": "a",
    "a": "a",
    "O": "o",
    "o": "o",
    "s": "s",
}
INDEXED = {"msub", "msubsup"}  # a subscript is an index, not the thing itself


def colour(node: ET.Element) -> None:
    """Give every Q, K, V, A, O (and q, k, v, a, o, s) that is not an index its class."""
    for position, child in enumerate(node):
        if node.tag in INDEXED and position:
            continue
        if child.tag == "mi" and child.text in NOTATION:
            child.set("class", f"c-{NOTATION[child.text]}")
        colour(child)


def mathml(converter: LatexToMathML, tex: str, display: bool) -> str:
    source = converter.convert_with_local_state(tex, displaystyle=display)
    root = ET.fromstring(source.replace("&ApplyFunction;", "\u2061"))
    colour(root)
    return ET.tostring(root, encoding="unicode")


class MathPostprocessor(Postprocessor):
    def run(self, text: str) -> str:
        converter = LatexToMathML(fancy_error=False)

        def convert(match: re.Match) -> str:
            tag, kind, tex = match.groups()
            try:
                return f'<{tag} class="math">{mathml(converter, html.unescape(tex).strip(), kind == "[")}</{tag}>'
            except LatexError as error:
                raise ValueError(f"bad TeX {tex!r}: {error}") from None

        return TEX.sub(convert, text)


class Punctuation(Postprocessor):
    """Keep a formula and the full stop after it on one line."""

    FORMULA = re.compile(
        r'((?:<data[^>]*><a[^>]*>)?<span class="math">(?:(?!</span>).)*</span>(?:</a></data>)?)([.,;:!?)]+)',
        re.S,
    )

    def run(self, text: str) -> str:
        return self.FORMULA.sub(r'<span class="nowrap">\1\2</span>', text)


class MathExtension(Extension):
    def extendMarkdown(self, md):
        md.postprocessors.register(MathPostprocessor(md), "book_math", 1)
        md.postprocessors.register(Punctuation(md), "book_punctuation", -1)


def makeExtension(**options):
    return MathExtension(**options)
