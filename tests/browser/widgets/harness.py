"""What the tests of every widget need: to open one, to set its state, to read what it shows.

A widget's numbers are judged by attnref in float64, at the digits that they are printed with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from playwright.sync_api import Locator, Page

from attnref import attention, attention_weights, masks
from book import widgets
from tests.browser.website import DOCS, address_of

Array = npt.NDArray[np.float64]
Open = Callable[..., Locator]
Point = tuple[float, float]
TAGS = widgets.tags()
WHERE = {  # tag -> the address of a page that has one
    tag: next(
        address_of(page) for page in sorted(DOCS.rglob("*.md")) if f"<{tag}" in page.read_text()
    )
    for tag in TAGS
}
DRAWN = """new Promise(done => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  setTimeout(() => done(false), 2000);
})"""
SIDES = 'td:not(.bracket):not([aria-hidden="true"])'


def wake(page: Page, tag: str) -> Locator:
    """Bring a widget near, so that it loads, and wait until it lives."""
    element = page.locator(tag).first
    element.scroll_into_view_if_needed()
    element.locator(".w-view").wait_for()
    return element


def frame(page: Page) -> None:
    """Let the widget draw. A browser that draws nothing for long is made to, by a picture."""
    if not page.evaluate(DRAWN):
        page.screenshot()


def middle(target: Locator) -> Point:
    """Where a mouse or a finger finds an element, once nothing scrolls."""
    target.scroll_into_view_if_needed()
    page, before = target.page, None
    while before != (before := page.evaluate("scrollY")):
        frame(page)
    box = target.bounding_box()
    assert box, "nothing to point at"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: Point, end: Point, steps: int = 5) -> None:
    """The mouse from one place to another with its button down."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=steps)
    page.mouse.up()
    frame(page)


def swipe(page: Page, start: Point, end: Point) -> None:
    """A finger from one place to another, as the hardware reports it.

    It rests before it lifts: a flung page would still scroll under the next finger.
    """
    finger = page.context.new_cdp_session(page)
    for step in (*range(7), 6, 6):
        at = {axis: a + (b - a) * step / 6 for axis, a, b in zip("xy", start, end, strict=True)}
        kind = "touchMove" if step else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
        frame(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    frame(page)


def assign(element: Locator, **attributes: object) -> None:
    """Set a widget's state the way an author does."""
    script = f"""(e, a) => {{
      Object.entries(a).forEach(([k, v]) => e.setAttribute(k, v));
      return {DRAWN};
    }}"""
    if not element.evaluate(script, attributes):
        element.page.screenshot()


def press(element: Locator, control: Locator, key: str) -> None:
    """Press a key on a control, and let the widget draw."""
    control.press(key)
    frame(element.page)


def glide(element: Locator, attribute: str, label: str) -> list[str]:
    """The values that an attribute goes through after the button whose text has the label.

    The frames are ours, so that a busy machine skips none.
    """
    element.page.emulate_media(reduced_motion="no-preference")
    seen: list[str] = element.evaluate(
        """(widget, [attribute, label]) => {
          const { requestAnimationFrame } = window, { now } = performance, seen = new Set();
          let time = 0, waiting = [];
          window.requestAnimationFrame = (draw) => waiting.push(draw);
          performance.now = () => time;
          [...widget.querySelectorAll('button')].find(b => b.textContent.includes(label)).click();
          for (; time < 900; time += 16) {
            for (const draw of waiting.splice(0)) draw(time);
            seen.add(widget.getAttribute(attribute));
          }
          Object.assign(window, { requestAnimationFrame });
          performance.now = now;
          return [...seen];
        }""",
        [attribute, label],
    )
    return seen


def state(element: Locator) -> dict[str, str]:
    """The attributes that hold a widget's state."""
    read = "e => Object.fromEntries([...e.attributes].map(a => [a.name, a.value]))"
    found: dict[str, str] = element.evaluate(read)
    return {name: value for name, value in found.items() if name not in ("class", "style")}


def numbers(element: Locator) -> dict[str, Any]:
    """What the widget computed, at full precision."""
    found: dict[str, Any] = element.evaluate("e => e.numbers")
    return found


def text(value: npt.ArrayLike) -> str:
    """An array as an attribute."""
    return ";".join(",".join(map(repr, row)) for row in np.atleast_2d(value).tolist())


def said(string: str) -> list[float]:
    """Every number in a shown text."""
    plain = string.replace("−", "-").replace("\u00a0", " ")
    return [float(n) for n in re.findall(r"(?<![\w.])-?\d+\.?\d*", plain)]


def shown(locator: Locator) -> list[float]:
    """The last number of each of several elements."""
    return [said(one)[-1] for one in locator.all_inner_texts()]


def agree(printed: npt.ArrayLike, exact: npt.ArrayLike, digits: int = 4) -> None:
    """The printed digits are those of the exact value, rounded."""
    np.testing.assert_array_less(np.abs(np.subtract(printed, exact)), 0.5001 * 10.0**-digits)


def tenths(rng: np.random.Generator, shape: Any, reach: int) -> Array:
    """Random numbers such as a reader can set."""
    found: Array = rng.integers(-10 * reach, 10 * reach + 1, shape) / 10
    return found


def head(Q: Array, K: Array, V: Array, *, causal: bool = False) -> dict[str, Array]:
    """Every stage of one head, by the book's reference."""
    raw = Q @ K.T
    scaled = raw / np.sqrt(Q.shape[-1])
    seen = masks.causal(len(Q), len(K)) if causal else np.ones(raw.shape, bool)
    return {
        "raw": raw,
        "scaled": scaled,
        "masked": np.where(seen, scaled, -np.inf),
        "weights": attention_weights(Q, K, causal=causal),
        "output": attention(Q, K, V, causal=causal),
    }
