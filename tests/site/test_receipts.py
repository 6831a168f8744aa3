"""Receipts land on the right thing, and nothing of the claims is left in the page."""

from __future__ import annotations

import re

import pytest

from tests.site.conftest import Render

OPENED = '<data class="claim" id="c1"><a href="#n1" tabindex="-1">'
AGAIN = '<data class="claim"><a href="#n1" tabindex="-1">'
CASES = {
    "0.2483<!-- = w[0] -->": f"{OPENED}0.2483</a></data>",
    "**0.2483**<!-- = w[0] -->": f"<strong>{OPENED}0.2483</a></data></strong>",
    "`0.2483`<!-- = w[0] -->": f"{OPENED}<code>0.2483</code></a></data>",
    "[0.2483, 0.2483, 0.5035]<!-- = w -->": f"{OPENED}[0.2483, 0.2483, 0.5035]</a></data>",
    "$w_3 = 0.5035$<!-- = w[2] -->": "</math></span></a></data>",
    "0.2483 and 0.5035.<!-- = w[1:] -->": f"{AGAIN}0.5035</a></data>",
    "$$\nA = 1\n$$\n\n<!-- = A[0, 0] -->": '<div class="claimed formula" id="c1"><div class="ma',
    "| a |\n|---|\n| 0.33 |\n\n<!-- = A[1, 0] -->": '<td style="--x:0.33">0.33</td>',
    "| a<!-- = A[1, 0] --> |\n|---|\n| 0.33 |": f"<td>{OPENED}0.33</a></data></td>",
    "## 213×<!-- = gain --> larger": f'<h2 id="213-larger">{OPENED}213×</a></data> larger</h2>',
    '!!! note "Of 213×<!-- = gain -->"\n\n    Text.': "213×</a></data></p>",
    "[Heads: 8](07-worked-example.md)<!-- = heads -->": 'Heads: <span class="claim">8</span></a>',
    '[A](07-worked-example.md "8 of them")<!-- = heads -->': '8 of them">A</a><span id="c1">',
    '<attn-mixture q="8" markdown="block"><!-- = heads -->\n\nA.\n\n</attn-mixture>': (
        'q="8" style="--narrow:'
    ),
    "`heads == 8`<!-- = heads -->": f"{OPENED}<code>heads == 8</code></a></data>",
    "eight<!-- = heads --> heads": f"{OPENED}eight</a></data> heads",
    "## Of eight<!-- = heads -->": f'<h2 id="of-eight">Of {OPENED}eight</a></data>',
    "64<!-- @ touvron2023, table 1 --> heads": f'{OPENED}64</a></data><sup id="fnref:vaswani2017">',
    "Sums to 8.<!-- = heads -->": "8</a></data>.",
    "It prints `True`<!-- = heads == 8 -->.": f"{OPENED}<code>True</code></a></data>",
}


@pytest.mark.parametrize("text", CASES)
def test_a_receipt_is_around_what_the_claim_proves(render: Render, text: str) -> None:
    html: str = render(text).html  # type: ignore[attr-defined]
    body = html.rpartition("</pre></div>")[2]
    assert CASES[text] in body, body
    assert body.count("<data") == body.count("</data>")
    assert "<!--" not in body
    assert not re.search("[\ue000-\uf8ff\U000f0000-\U000ffffd]", body)


def test_the_table_of_contents_stays_clean(render: Render) -> None:
    (heading,) = render("## 213×<!-- = gain --> larger").toc_tokens  # type: ignore[attr-defined]
    assert (heading["id"], heading["name"]) == ("213-larger", "213× larger")
