"""How every widget looks, in every state: its place, its width, its contrast, its focus."""

from __future__ import annotations

import json

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from book import widgets
from tests.browser.widgets.departures import DEPARTURES
from tests.browser.widgets.harness import TAGS, Open, assign, state

every_widget = pytest.mark.parametrize("tag", TAGS)
WIDTHS = (320, 360, 414, 600, 660, 768, 1024, 1440)
SPARE = 8  # px that a widget's place may be higher than the widget


@every_widget
def test_at_every_width_it_fills_its_place_and_nothing_scrolls_sideways(
    open_widget: Open, tag: str
) -> None:
    """Measured over widths and states; on failure it prints what heights.json should say."""
    element = open_widget(tag)
    first, name = state(element), tag.removeprefix("attn-")
    tallest = {"narrow": 0, "wide": 0}
    for width in WIDTHS:
        element.page.set_viewport_size({"width": width, "height": 900})
        for departure in [{}, *DEPARTURES[tag]]:
            assign(element, **{**first, **departure})
            fits = f"document.documentElement.scrollWidth <= {width}"
            element.page.wait_for_function(fits, polling=50, timeout=5000)
            box = element.locator(".w-view").bounding_box()
            assert box
            place = "narrow" if width < 720 else "wide"
            tallest[place] = max(tallest[place], int(np.ceil(box["height"])))
    reserved = widgets.heights()[name]
    wanted = json.dumps({name: {place: height + 4 for place, height in tallest.items()}})
    for place, height in tallest.items():
        assert height <= reserved[place] <= height + SPARE, f"heights.json should say {wanted}"
        assert height < 850, "too tall for a phone"


@every_widget
@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 360),
        ("dark", 1280),
        pytest.param("light", 1280, marks=pytest.mark.deep),
        pytest.param("dark", 360, marks=pytest.mark.deep),
    ],
)
def test_axe_finds_nothing(open_widget: Open, tag: str, scheme: str, width: int) -> None:
    element = open_widget(tag, scheme=scheme, width=width)
    for departure in [{}, *DEPARTURES[tag]]:
        assign(element, **departure)
        found = Axe().run(element.page, context=f"{tag} .w-view").response["violations"]
        assert [(v["id"], [n["html"][:150] for n in v["nodes"]]) for v in found] == []


@every_widget
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_focus_is_seen_on_everything_that_takes_it(
    open_widget: Open, tag: str, scheme: str
) -> None:
    element = open_widget(tag, scheme=scheme)
    assign(element, **DEPARTURES[tag][0])
    page = element.page
    element.get_by_role("button", name="Reset").focus()
    count = 0
    for _ in range(40):
        page.keyboard.press("Tab")
        ring = page.evaluate("""tag => {
          const at = document.activeElement, halo = at.querySelector?.('.halo');
          if (!at.closest(tag)) return null;
          const style = getComputedStyle(halo ?? at);
          return at.type === 'range' ? 2 * style.getPropertyValue('--ring').includes('5px')
            : parseFloat(halo ? style.strokeWidth : style.outlineWidth);
        }""", tag)  # fmt: skip
        if ring is None:
            break
        count += 1
        assert ring >= 1.5, page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
    assert count >= 4
