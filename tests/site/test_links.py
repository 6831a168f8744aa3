"""The link checker sees what a browser would run into."""

from __future__ import annotations

from pathlib import Path

import pytest

from book.links import faults

CASES = {
    '<a href="../b/">b</a>': None,
    '<a href="../b/#there">b</a>': None,
    '<a href="/book/b/">b</a>': None,
    '<a href="https://arxiv.org/abs/1706.03762">paper</a>': None,
    '<a href="mailto:a@b.c">mail</a>': None,
    '<link rel="canonical" href="https://elsewhere.example/">': None,
    '<a href="../c/">c</a>': "a/index.html: links to ../c/, which does not exist",
    '<a href="/b/">b</a>': "a/index.html: links to /b/, which does not exist",
    '<a href="../b/#here">b</a>': "a/index.html: links to ../b/#here, which has no such place",
    '<a href="#here">a</a>': "a/index.html: links to #here, which has no such place",
    '<img src="x.png">': "a/index.html: links to x.png, which does not exist",
    '<script src="https://cdn.example/x.js"></script>': "loads https://cdn.example/x.js from an",
    '<p id="one"><p id="one">': "a/index.html: two elements have the id 'one'",
}


@pytest.mark.parametrize("html", CASES)
def test_a_link_that_leads_nowhere_is_named(tmp_path: Path, html: str) -> None:
    for name, text in (("a", html), ("b", '<p id="there">')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(text)
    found = list(faults(tmp_path, "https://example.org/book/"))
    wanted = CASES[html]
    assert (not found) if wanted is None else (len(found) == 1 and wanted in found[0]), found
