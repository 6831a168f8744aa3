from __future__ import annotations

import pytest

from tests.browser.acts import unfold
from tests.browser.conftest import Visit
from tests.browser.website import PAGES

WIDTHS = (320, 360, 768, 1024, 1440)
TOO_WIDE = """() => [...document.querySelectorAll('table.plain')]
  .filter(table => getComputedStyle(table.parentElement).overflowX === 'visible')
  .filter(table => !table.closest('.scroll'))
  .filter(table => table.offsetWidth > table.parentElement.clientWidth + 1)
  .map(table => `${table.offsetWidth} px: ${table.textContent.trim().slice(0, 40)}`)"""
OUTSIDE = """() => {
  const scrolls = node => node && node !== document.documentElement
    && (getComputedStyle(node).overflowX !== 'visible' || scrolls(node.parentElement));
  return [...document.querySelectorAll('.md-container *')]
    .filter(node => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1)
    .filter(node => !scrolls(node.parentElement))
    .map(node => `${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 40)}`);
}"""
CUT_OFF = """() => [...document.querySelectorAll('.md-content *:not(.unseen)')]
  .filter(node => ['hidden', 'clip'].includes(getComputedStyle(node).overflowX))
  .filter(node => node.clientWidth && node.scrollWidth > node.clientWidth + 1)
  .map(node => `${node.tagName}.${node.className}#${node.id}`)"""


@pytest.mark.parametrize("where", PAGES)
def test_nothing_is_wider_than_the_window_or_cut_off(visit: Visit, where: str) -> None:
    page = visit(where)
    unfold(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"at {width} px"
        assert page.evaluate(TOO_WIDE) == [], f"at {width} px"
        assert page.evaluate(OUTSIDE) == [], f"at {width} px"
        assert page.evaluate(CUT_OFF) == [], f"at {width} px"
