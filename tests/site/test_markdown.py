"""The book's own Markdown: quizzes, sections, tables, formulas, citations, unwritten chapters."""

from __future__ import annotations

import pytest

from tests.site.conftest import Render


def html(render: Render, text: str) -> str:
    return str(render(text).html)  # type: ignore[attr-defined]


def test_a_quiz_opens_one_option_at_a_time_and_says_why(render: Render) -> None:
    text = '!!! quiz "Why?"\n\n    ( ) So.\n    :   No.\n\n    (x) Thus.\n    :   Yes.\n'
    shown = html(render, text)
    assert '<details class="option" name="quiz-1"><summary>So.</summary>' in shown
    assert '<details class="option right" name="quiz-1"><summary>Thus.</summary>' in shown
    assert "<strong>Not quite. </strong>No." in shown
    assert "<strong>Right. </strong>Yes." in shown


def test_a_quiz_option_without_a_mark_is_refused(render: Render) -> None:
    with pytest.raises(ValueError, match=r"begins with \(x\) or \( \)"):
        render('!!! quiz "Why?"\n\n    So.\n    :   No.\n')


def test_sections_of_a_chapter_are_numbered_and_their_ids_are_not(render: Render) -> None:
    shown = html(render, "# Title\n\n## First\n\n## Second\n")
    assert '<h2 id="first"><span class="secno">1.1</span> First</h2>' in shown
    assert '<h2 id="second"><span class="secno">1.2</span> Second</h2>' in shown


def test_a_table_with_an_empty_corner_has_named_rows(render: Render) -> None:
    shown = html(render, "| | a |\n|---|---|\n| b | x |\n")
    assert '<table class="plain">' in shown
    assert '<th scope="row">b</th>' in shown


def test_formulas_are_mathml_in_the_colours_of_the_notation(render: Render) -> None:
    shown = html(render, "$Q K^\\top$ and $a_q$")
    assert '<mi class="c-q">Q</mi>' in shown
    assert '<mi class="c-a">a</mi><mi>q</mi>' in shown, "an index has no colour"


def test_a_full_stop_stays_with_its_formula(render: Render) -> None:
    assert '<span class="nowrap"><span class="math">' in html(render, "It is $Q$.")


def test_a_citation_brings_its_footnote(render: Render) -> None:
    shown = html(render, "As known[^vaswani2017].")
    assert "Attention Is All You Need" in shown
    assert 'href="https://arxiv.org/abs/1706.03762"' in shown


def test_a_link_to_an_unwritten_chapter_leads_to_the_contents(render: Render) -> None:
    shown = html(render, "[Chapter 17](17-decoding.md) and [chapter 7](07-worked-example.md)")
    assert '<a class="unwritten" href="../index.md#chapter-17"' in shown
    assert '<a href="07-worked-example.md">' in shown
