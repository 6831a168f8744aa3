from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, HOME

SHIFTS = """async () => {
  const shifts = [];
  const note = list => list.getEntries().forEach(entry => shifts.push(
    [entry.value, ...entry.sources.map(source => source.node?.parentElement?.outerHTML.slice(0, 120))]));
  new PerformanceObserver(note).observe({type: 'layout-shift', buffered: true});
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
    scrollTo(0, top);
    await frame();
  }
  await frame();
  return shifts;
}"""


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("where", [HOME, CHAPTER])
def test_nothing_moves_while_a_page_loads_and_scrolls(visit: Visit, where: str, width: int) -> None:
    assert visit(where, width=width).evaluate(SHIFTS) == []
