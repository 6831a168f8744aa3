from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route

from tests.browser.conftest import SETTLED
from tests.browser.website import CHAPTER, HOME

SHIFTS = """async () => {
  const shifts = [];
  const place = rect => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(' ');
  const source = ({node, previousRect, currentRect}) => `${node?.nodeName} `
    + `"${node?.textContent.trim().slice(0, 30)}" ${place(previousRect)} → ${place(currentRect)}`;
  const note = entry => shifts.push([entry.value.toFixed(5), ...entry.sources.map(source)]);
  new PerformanceObserver(list => list.getEntries().forEach(note))
    .observe({type: 'layout-shift', buffered: true});
  const frame = () => new Promise(done => { // a window that nobody sees may draw no frame
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 500);
  });
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
    scrollTo(0, top);
    await frame();
  }
  await frame();
  return shifts.flat().join('\\n  ');
}"""


@pytest.mark.parametrize("fonts", ["at once", "late"])
@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("where", [HOME, CHAPTER])
def test_nothing_moves_while_a_page_loads_and_scrolls(
    new_context: Callable[..., BrowserContext], where: str, width: int, fonts: str
) -> None:
    page = new_context(viewport={"width": width, "height": 900}).new_page()
    if fonts == "late":
        waits = iter([0.4])  # seconds for the first; the others queue behind it
        page.route("**/fonts.css", lambda route: _late(route, next(waits, 0)))
    page.goto(where)
    page.wait_for_function(SETTLED)
    moved = page.evaluate(SHIFTS)
    assert not moved, moved


def _late(route: Route, seconds: float) -> None:
    """A font that comes after the text: everywhere but on a machine that serves itself."""
    time.sleep(seconds)
    route.continue_()
