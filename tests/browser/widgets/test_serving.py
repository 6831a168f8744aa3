"""serving: a prompt read at once, a token a step, and what is computed again."""

from __future__ import annotations

from typing import Any

import numpy as np
from playwright.sync_api import Locator

from attnref import attention
from attnref.cache import Cache
from attnref.costs import cells
from tests.browser.widgets.harness import Open, assign, frame, numbers, press, said

TAG = "attn-serving"
STATES = [(p, s, k) for p in range(1, 9) for s in range(7) for k in (0, 1)]


def shown(widget: Locator) -> list[list[int]]:
    """The timeline as it is read: queries, keys, cells, made, kept."""
    found: list[list[int]] = widget.evaluate("""e =>
      [...e.querySelectorAll('.w-timeline tbody tr:not([hidden])')].map(tr =>
        [...tr.querySelectorAll('td')].map(td => Number(td.textContent)))""")
    return found


def painted(widget: Locator, kind: str, tone: str = "weight") -> int:
    """How many cells of the grid, or keys and values below it, are of this kind."""
    return widget.locator(f".w-serving figure > svg .{tone} > rect.{kind}").count()


def test_in_every_state_the_counts_are_those_of_attnref(open_widget: Open) -> None:
    """With keys and values kept, the steps fill the causal grid of the whole text, once."""
    widget = open_widget(TAG)
    states = [{"prompt": p, "steps": s, "at": s, "keep": k} for p, s, k in STATES]
    found = widget.evaluate("(e, states) => states.map(state => e.derive(state))", states)
    for (prompt, steps, keep), got in zip(STATES, found, strict=True):
        lengths = [prompt + s for s in range(steps + 1)]
        asks = [prompt] + [1] * steps if keep else lengths
        rows = got["rows"]
        assert [row["queries"] for row in rows] == asks
        assert [row["keys"] for row in rows] == lengths
        want = [cells(L, S, causal=True) for L, S in zip(asks, lengths, strict=True)]
        assert [row["cells"] for row in rows] == want
        assert got["total"] == sum(want) == got["kept" if keep else "forgot"]
        assert got["made"] == sum(asks)
        n = prompt + steps
        assert got["kept"] == got["whole"] == cells(n, n, causal=True)
        again = sum(cells(S, S, causal=True) for S in lengths)
        assert got["forgot"] == again
        assert [row["held"] for row in rows] == (lengths if keep else [0] * len(rows))


def test_a_cache_holds_and_computes_what_the_timeline_says(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(0)
    for prompt, steps in ((4, 3), (1, 5), (8, 6)):
        assign(widget, prompt=prompt, steps=steps, keep=1)
        q, k, v = rng.normal(size=(3, prompt + steps, 2))
        whole, cache, start = attention(q, k, v, causal=True), Cache(), 0
        for queries, keys, _, made, held in shown(widget):
            end = start + queries
            out = cache.attend(q[start:end], k[start:end], v[start:end])
            np.testing.assert_allclose(out, whole[start:end], atol=1e-12)
            assert (made, held, keys) == (queries, len(cache), end)
            start = end


def test_it_shows_what_it_computed_step_by_step(open_widget: Open) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for prompt, steps, keep in [(4, 3, 1), (4, 3, 0), *rng.permutation(STATES)[:10].tolist()]:
        at = int(rng.integers(0, 7))
        assign(widget, prompt=prompt, steps=steps, at=at, keep=keep)
        found: dict[str, Any] = numbers(widget)
        now = min(at, steps)
        assert found["now"] == now
        columns = ("queries", "keys", "cells", "made", "held")
        assert shown(widget) == [[row[c] for c in columns] for row in found["rows"]]
        sums = widget.locator(".w-timeline tfoot td").all_inner_texts()
        assert [sums[2], sums[3]] == [str(found["total"]), str(found["made"])]
        assert widget.locator(".w-timeline [aria-current]").get_attribute("data-step") == str(now)
        row = found["rows"][now]
        assert painted(widget, "now") + painted(widget, "again") == row["cells"]
        known = prompt + now - 1 if now else 0
        assert painted(widget, "again") == (0 if keep else known * (known + 1) // 2)
        assert painted(widget, "before") == (known * (known + 1) // 2 if keep else 0)
        for tone in ("key", "value"):  # made now, made again, kept
            kinds = [painted(widget, kind, tone) for kind in ("now", "again", "before", "later")]
            old = [0, known] if keep else [known, 0]
            assert kinds == [row["keys"] - known, *old, steps - now], tone
            assert kinds[0] + kinds[1] == row["made"]
        n = prompt + steps
        visible = sum(painted(widget, kind) for kind in ("now", "again", "before", "later"))
        assert visible == n * (n + 1) // 2
        told = said(widget.locator(".w-says").inner_text().replace(",", ""))
        want = [row["queries"], row["keys"], row["cells"]]
        both = [found["kept"], found["forgot"]]
        assert told == [*([now] if now else []), *want, *(both if keep else both[::-1])]


def test_the_fallback_has_the_rows_of_both_timelines(open_widget: Open) -> None:
    widget = open_widget(TAG)
    lines = widget.locator(".w-fallback tbody tr").all()
    for column, keep in ((1, 1), (2, 0)):
        assign(widget, keep=keep)
        told = [said(line.locator("td").nth(column).text_content() or "") for line in lines]
        assert told == [row[:3] for row in shown(widget)]


def test_steps_are_walked_by_keyboard_and_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    forward, back = (widget.get_by_role("button", name=n) for n in ("Next step", "Back"))
    assert back.get_attribute("aria-disabled") == "true"
    for step in (1, 2, 3):
        forward.tap()
        frame(widget.page)
        assert widget.get_attribute("at") == str(step)
    assert forward.get_attribute("aria-disabled") == "true"
    forward.press("Enter")
    frame(widget.page)
    assert widget.get_attribute("at") == "3"
    assert forward.evaluate("e => e === document.activeElement")  # and keeps the focus
    press(widget, widget.get_by_role("slider", name="step shown"), "ArrowLeft")
    assert widget.get_attribute("at") == "2"
    press(widget, widget.get_by_role("slider", name="decoding steps"), "Home")
    assert numbers(widget)["now"] == 0
    press(widget, widget.get_by_role("slider", name="prompt"), "End")
    assert widget.get_attribute("prompt") == "8"
    widget.get_by_role("radio", name="without").tap()
    frame(widget.page)
    assert widget.get_attribute("keep") == "0"
