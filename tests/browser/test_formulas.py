from __future__ import annotations

import re

import pytest

from tests.browser.conftest import Visit
from tests.browser.website import PAGES

PROSE = """() => {
  const texts = [], skipped = 'script, style, noscript, pre, code, samp';
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ALL);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    if (!element || element.closest(skipped)) continue;
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent);
    for (const name of ['title', 'alt', 'aria-label', 'content', 'id', 'href'])
      if (node === element && element.hasAttribute(name)) texts.push(element.getAttribute(name));
  }
  return texts.filter(text => text.trim());
}"""
RAW = re.compile(r"\$|\\[()\[\]a-zA-Z]|<!--|-->|[\ue000-\uf8ff\U000f0000-\U0010fffd]")


@pytest.mark.parametrize("where", PAGES)
def test_no_mark_of_the_source_is_on_the_page(visit: Visit, where: str) -> None:
    page = visit(where)
    assert [text for text in page.evaluate(PROSE) if RAW.search(text)] == []
    code = "\n".join(page.locator("pre, code, samp").all_text_contents())
    assert not re.search("[\ue000-\uf8ff\U000f0000-\U0010fffd]", code)


@pytest.mark.parametrize("where", PAGES)
def test_every_formula_of_the_source_is_mathml_that_takes_space(visit: Visit, where: str) -> None:
    source = re.sub(
        r"```.*?```|`[^`]*`|<!--.*?-->", "", PAGES[where].read_text("utf-8"), flags=re.S
    )
    written = len(re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$", source, re.S))
    formulas = visit(where).locator("article .math:not(.ledger *) > math")
    assert formulas.count() == written
    sizes = formulas.evaluate_all(
        """all => all.filter(one => one.checkVisibility())
          .map(one => Math.min(...['width', 'height'].map(n => one.getBoundingClientRect()[n])))"""
    )
    assert all(size > 0 for size in sizes)
