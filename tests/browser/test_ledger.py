"""The ledger of numbers: complete, linked both ways, and true to what the page prints."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from playwright.sync_api import Page

from proofread.page import parse
from proofread.settings import load
from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, HOME, PAGES, ROOT

with_ledger = pytest.mark.parametrize("where", [HOME, CHAPTER])
NUMBER = r"[-−]?(?:\d[\d,]*(?:\.\d+)?(?:e[-−+]?\d+)?|∞)"
LITERAL = re.compile(rf"10[⁻⁰¹²³⁴-⁹]+|{NUMBER}%?")
NUMBERS = re.compile(rf"(?:{LITERAL.pattern}|[\[\]\s,()])+")
NORMAL = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789", ",")
READ = """() => [...document.querySelectorAll('.ledger tbody tr')]
  .filter(row => row.cells[2].textContent !== 'cited')
  .map(row => {
    const at = document.getElementById(row.cells[0].firstChild.hash.slice(1));
    const all = at.matches('.claimed.table') ? at.querySelectorAll('td')
      : at.closest('summary') ? [at] // no links there: a click opens it
      : document.querySelectorAll(`.claim > a[href$="#${row.id}"]`);
    const printed = [...all].map(node => node.querySelector('math') ? '?' : node.textContent);
    return {printed, value: row.cells[3].textContent, id: row.id};
  })"""


@with_ledger
def test_the_ledger_has_a_row_for_every_claim_of_the_page(visit: Visit, where: str) -> None:
    source = PAGES[where].read_text(encoding="utf-8")
    claims = parse(source, PAGES[where].relative_to(ROOT).as_posix(), load(ROOT)).claims
    assert visit(where).locator(".ledger tbody tr").count() == len(claims) > 0


@with_ledger
def test_every_receipt_leads_to_a_row_of_the_ledger(visit: Visit, where: str) -> None:
    lost = visit(where).evaluate(
        """() => [...document.querySelectorAll('.claim > a, a.mark')]
          .filter(a => a.pathname !== location.pathname
            || !document.getElementById(a.hash.slice(1))?.matches('.ledger tbody tr'))
          .map(a => a.outerHTML)"""
    )
    assert lost == []


@with_ledger
def test_every_row_of_the_ledger_leads_to_its_number_and_its_source(
    visit: Visit, where: str
) -> None:
    lost = visit(where).evaluate(
        """() => [...document.querySelectorAll('.ledger tbody tr')].filter(row => {
          const [back, ...sources] = row.querySelectorAll('a');
          const place = document.getElementById(back.hash.slice(1));
          const found = place && !place.closest('.ledger')
            && place.matches(`summary .claim, :has(> a[href$="#${row.id}"])`);
          return !found || !sources.every(a => document.getElementById(a.hash.slice(1)));
        }).map(row => row.outerHTML)"""
    )
    assert lost == []


def test_every_printed_number_is_its_value_rounded(chapter: Page) -> None:
    compared, wrong = 0, []
    for row in chapter.evaluate(READ):
        if not row["printed"] or not all(map(NUMBERS.fullmatch, row["printed"])):
            continue  # a formula, which proofread alone can check, or a word
        printed = [text for texts in row["printed"] for text in LITERAL.findall(texts)]
        values = [Decimal(text.translate(NORMAL)) for text in re.findall(NUMBER, row["value"])]
        if len(printed) == 1:  # one number may speak for several
            printed *= len(values)
        assert len(printed) == len(values) > 0, row
        compared += len(printed)
        wrong += [row for pair in zip(printed, values, strict=True) if not _rounds_to(*pair)]
    assert wrong == []
    assert compared >= 60


def _rounds_to(text: str, value: Decimal) -> bool:
    if value.is_infinite():
        return text == "−∞"
    digits = text.removesuffix("%").translate(NORMAL)
    if digits.startswith("10-"):  # a power of ten
        return float(value) == float(f"1e{digits[2:]}")
    scale = Decimal("0.01") if text.endswith("%") else Decimal(1)
    printed = Decimal(digits)
    step = Decimal(1).scaleb(int(printed.as_tuple().exponent)) * scale
    return abs(printed * scale - value) <= step / 2
