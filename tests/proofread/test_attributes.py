"""Numbers in attributes are numbers: what an element of our own shows, and what is read aloud."""

from __future__ import annotations

import pytest

from tests.proofread.conftest import Kinds, Marks

PROVEN = [
    '<attn-x q="1, 1" markdown="block"><!-- = q -->\n\nA.\n\n</attn-x>',
    "<attn-x q='1,1' k=8 markdown><!-- = *q, heads -->\n\nA.\n\n</attn-x>",
    '<attn-x a="-0.3302" markdown><!-- = -A[1, 0] -->\n\nA.\n\n</attn-x>',
    '<attn-x id="x8" class="c8" style="width:8px" slot="8" src="8" markdown>\n\nA.\n\n</attn-x>',
    '<img src="a8.svg" width="640" alt="8 heads"><!-- = heads -->',
    '<span title="8 heads">A</span> word, of <abbr title="eight heads"><!-- = heads -->H</abbr>.',
    '[the chapter](03-x.md "8 heads")<!-- = heads -->',
    '[all 8](03-x.md "and 8 more")<!-- = heads, heads -->',
    '![bars of 0.2483](a.svg "and 0.5035")<!-- = w[1], w[2] -->',
    '[the chapter](03-x.md "chapter 3, row 2")',
]


@pytest.mark.parametrize("text", PROVEN)
def test_a_claim_that_touches_a_tag_proves_its_numbers(marks: Marks, text: str) -> None:
    assert marks(text.replace('<span title="8 heads">A</span>', "A")) == []


WRONG = {
    '<attn-x q="1, 2" markdown><!-- = q -->\n\nA.\n\n</attn-x>': "page says 2, code says 1",
    '<attn-x q="1, 1" markdown>\n\nA.\n\n</attn-x>': "1 is neither computed",
    '<attn-x q="1, 1, 1" markdown><!-- = q -->\n\nA.\n\n</attn-x>': "3 numbers (1, 1, 1), = q",
    '<attn-x label="H8, 64 wide" markdown>\n\nA.\n\n</attn-x>': "64 is neither computed",
    '<img alt="9 heads" src="a.svg"><!-- = heads -->': "page says 9, code says 8",
    '<span aria-label="three heads">A</span>': "three is neither computed",
    '<input placeholder="64">': "64 is neither computed",
    '[a](03-x.md "9 heads")<!-- = heads -->': "page says 9, code says 8",
    '[a](03-x.md "9 heads")': "9 is neither computed",
    '[a](03-x.md "9 heads") has it.<!-- = heads -->': "no number without a claim stands before it",
    '```text title="8 heads"\nA\n```': "8 in title cannot carry a claim",
    '```python exec="on" alt="two bars"\nx = 1\n```': "two in alt cannot carry a claim",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_number_in_an_attribute_does_not_pass_unproven(marks: Marks, text: str) -> None:
    found = marks(text)
    assert any(WRONG[text] in mark for mark in found), found


def test_structural_numbers_in_titles_need_no_claim(marks: Marks) -> None:
    assert marks('```text title="chapter 7, in fp16"\nA\n```') == []


def test_an_attribute_is_not_part_of_the_sentence_around_it(kinds: Kinds) -> None:
    text = 'It <img alt="3 keys" src="a.svg"> has 8.<!-- = heads -->'
    assert kinds(text) == [("3", "unlabelled"), ("8", "computed")]
