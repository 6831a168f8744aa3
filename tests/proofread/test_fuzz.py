"""Whatever stands in a page, proofread reads it: it may complain, it does not break."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofread.judge import judge
from proofread.page import parse
from proofread.running.outcome import Outcome, Ran
from tests.proofread.conftest import SETTINGS

PIECES = [
    "0.2483", "−1,234.5 GiB", "10⁻⁶", "½", "213×", "40%", "?", "twice", "chapter 7", "Figure 1.2:",
    "$", "$$\n", "$x_12$", "$\\frac{1}{2}$", "$q_3 = [1, 1]$", "\\begin{aligned}", "\\(", "\\)",
    "<!-- = w[0] -->", "<!-- = -->", "<!-- = a, *b from c -->", "<!-- @ touvron2023, table 1 -->",
    "<!-- let q_i = Q[i-1]; d_k = D -->", "<!-- let x -->", "<!--", "-->", "<!-- = ", "|", "|---|",
    "```python exec=\"on\"\n", "```\n", "~~~ text\n", "--8<-- \"a.py:b\"\n", "`w = 8`", "``", "`",
    "[1, 0.5]", "[[1, 0], [0, 1]]", "[a](b.md)", "![alt 3](c.svg)", "[^note]", "[^note]: text",
    "# ", "- ", "1. ", "> ", "    ", "\n", "\n\n", "/// figure-caption | 1.1\n", "///\n", "---\n",
    "!!! note \"8 heads\"\n", "=== \"Tab\"\n", "{: .lead }\n", "\\", "*", "_", "\u00a0", "é", "𝑞",
    "\0", "\t", "\r\n", "9" * 40, "1e9999", "1/0", "e^{800}",
]  # fmt: skip


def reads(text: str) -> None:
    page = parse(text, "docs/chapters/01-x.md", SETTINGS)
    source = page.source
    for numeral in page.numerals:
        assert 0 <= numeral.start < numeral.end <= len(source)
        assert numeral.digits[0] < numeral.digits[1] <= numeral.end
    for claim in page.claims:
        assert source.startswith("<!--", claim.start)
        assert source.endswith("-->", 0, claim.end)
    runs = [Ran() for _ in page.blocks_run]
    for finding in judge(page, Outcome(runs), SETTINGS):
        assert finding.message
        assert page.line(finding.offset) >= 1


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_pieces_of_pages_in_any_order_are_read(text: str) -> None:
    reads(text)


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_is_read(text: str) -> None:
    reads(text)


@pytest.mark.deep
@given(st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join))
@settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_many_more_pieces_are_read(text: str) -> None:
    reads(text)
