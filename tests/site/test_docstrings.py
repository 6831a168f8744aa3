"""A docstring keeps its form on the page: lists of names, formulas, errors, sources."""

from __future__ import annotations

import pytest

from book.docstrings import html

KNOWN = {"attention": "#attnref.attention", "arXiv:1706.03762": "../bibliography/#vaswani2017"}
CASES = {
    "One line.": "<p>One line.</p>",
    "Two\nlines.": "<p>Two lines.</p>",
    "First.\n\nThen\nmore.": "<p>First.</p><p>Then more.</p>",
    "A.\n\nmask   this\n       and that\nscale  more": (
        '<dl class="names"><dt><code>mask</code></dt><dd>this and that</dd>'
        "<dt><code>scale</code></dt><dd>more</dd></dl>"
    ),
    'A.\n\nform "a"   one\nform "bc"  two': "<dt><code>form &quot;a&quot;</code></dt><dd>one</dd>",
    "A:\n\n    x = y,   z = x": '<p class="display"><span>x = y,</span> <span>z = x</span></p>',
    "A.\n\nRaises TypeError or\nValueError if so.": (
        '<dl class="facts"><dt>Raises</dt>'
        "<dd><code>TypeError</code> or <code>ValueError</code> if so.</dd></dl>"
    ),
    "A.\n\nSource: B 2017 (arXiv:1706.03762), table 1.": (
        '<dt>Source</dt><dd>B 2017 (<a href="../bibliography/#vaswani2017">arXiv:1706.03762</a>), '
    ),
    "As in `attention`, not `x < y`.": (
        'As in <a href="#attnref.attention"><code>attention</code></a>, not <code>x &lt; y</code>.'
    ),
    "q kᵀ, Sᵢ₋₁": "q k<sup>T</sup>, S<sub>i−1</sub>",
    "a < b & c": "a &lt; b &amp; c",
    "q (…, Hq, L, D) to": '<span class="nowrap">q (…, Hq, L, D)</span> to',
    'the "half" layout': 'the <code>"half"</code> layout',
}


@pytest.mark.parametrize("text", CASES)
def test_a_docstring_is_shown_in_its_form(text: str) -> None:
    assert CASES[text] in html(text, KNOWN.get)


def test_what_is_not_aligned_is_prose() -> None:
    for block in (
        "two lines\nof prose",
        "mask   this\n     and that",
        "mask   this\nscale and that",
    ):
        assert html(f"A.\n\n{block}", KNOWN.get).count("<p>") == 2
