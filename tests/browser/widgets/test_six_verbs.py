"""six-verbs: what every verb gets and makes is the running example's."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Locator

from tests.browser.widgets.harness import Array, Open, agree, assign, frame, head, numbers, said

TAG = "attn-six-verbs"
X = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]])
W_QK = np.array([[1.0, -1], [0, 0], [0, 1], [0, 2]])
W_V = np.array([[1.0, -1], [0, 1], [0, 1], [2, 1]])
VERBS = {  # what stands on screen, by the names of the tables
    "project": ["tokens", "queries", "keys", "values"],
    "compare": ["queries", "keys, transposed", "scores"],
    "scale": ["scores", "scaled scores"],
    "mask": ["scaled scores", "masked scores"],
    "normalise": ["masked scores", "weights"],
    "mix": ["weights", "values", "outputs"],
}


def arrays() -> dict[str, Array]:
    q, v = X @ W_QK, X @ W_V
    stages = head(q, q, v, causal=True)
    return {
        "tokens": X,
        "queries": q,
        "keys": q,
        "keys, transposed": q.T,
        "values": v,
        "scores": stages["raw"],
        "scaled scores": stages["scaled"],
        "masked scores": stages["masked"],
        "weights": stages["weights"],
        "outputs": stages["output"],
    }


def table(widget: Locator, label: str) -> Array:
    shown = widget.get_by_role("table", name=label, exact=True).locator("td > span")
    texts = [text.replace("−∞", "-inf").replace("−", "-") for text in shown.all_inner_texts()]
    return np.array(texts, float)


def test_every_verb_shows_the_arrays_of_attnref(open_widget: Open) -> None:
    widget, wanted = open_widget(TAG), arrays()
    for verb, labels in VERBS.items():
        widget.get_by_role("button", name=verb, exact=True).click()
        frame(widget.page)
        tables = widget.locator(".w-flow table")
        assert tables.evaluate_all("all => all.map(t => t.ariaLabel)") == labels
        for label in labels:
            seen, exact = table(widget, label), wanted[label].ravel()
            finite = np.isfinite(exact)
            assert (np.isfinite(seen) == finite).all()
            agree(seen[finite], exact[finite])
    np.testing.assert_allclose(numbers(widget)["output"], wanted["outputs"], rtol=1e-12)


def test_the_sentence_follows_the_token(open_widget: Open) -> None:
    widget, wanted = open_widget(TAG), arrays()
    for token in (1, 2, 3):
        for verb, label in (("scale", "scaled scores"), ("normalise", "weights")):
            assign(widget, verb=verb, token=token)
            spoken, *told = said(widget.locator(".w-says").inner_text().replace("√2", ""))
            assert spoken == token
            agree(told[:3], wanted[label][token - 1])
        assign(widget, verb="mix", token=token)
        agree(said(widget.locator(".w-says").inner_text())[1:], wanted["outputs"][token - 1])
        assert widget.locator(".w-flow tr.on").count() == 2, "a row of weights, a row of outputs"


def test_every_verb_leads_to_its_chapter_and_to_later_ideas(open_widget: Open) -> None:
    widget = open_widget(TAG)
    rows = widget.locator(".w-fallback tbody tr")
    for i, verb in enumerate(VERBS):
        assign(widget, verb=verb)
        links = "e => [...e.querySelectorAll('a')].map(a => a.href)"
        here = widget.locator(".w-told dd")
        for part, column in ((0, 0), (1, 2)):
            own = here.nth(part).evaluate(links)
            assert own == rows.nth(i).locator("td, th").nth(column).evaluate(links)
            assert len(own) >= 1


def test_verbs_by_keyboard_and_tokens_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    widget.get_by_role("button", name="compare").focus()
    widget.page.keyboard.press("ArrowRight")
    widget.page.keyboard.press("Enter")
    frame(widget.page)
    assert widget.get_attribute("verb") == "scale"
    widget.locator(".w-choice label").nth(1).tap()
    frame(widget.page)
    assert widget.get_attribute("token") == "2"
