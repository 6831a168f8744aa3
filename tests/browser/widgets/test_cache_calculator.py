"""cache-calculator: bytes as attnref counts them, models as the one file has them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

from attnref.costs import cache_bytes, latent_cache_bytes
from tests.browser.conftest import Visit
from tests.browser.website import DOCS
from tests.browser.widgets.harness import WHERE, Open, assign, frame, numbers, press, said, wake

TAG = "attn-cache-calculator"
MODELS: list[dict[str, Any]] = json.loads((DOCS / "reference/models.json").read_text())
HEADS = [1, 2, 4, 8, 16, 32, 40, 48, 64, 96, 128]
BINARY = {unit: 1024**i for i, unit in enumerate(("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"))}
DECIMAL = {unit: 1000**i for i, unit in enumerate(("bytes", "kB", "MB", "GB", "TB", "PB"))}
KINDS = ("MHA", "GQA", "MQA", "MLA")
# A bar up to the memory, what is past it, and the line, as shares of the axis.
MEASURE = """bars => bars.map(bar => {
  const wide = bar.getBoundingClientRect().width;
  const [inside, past] = [...bar.children].map(part => part.getBoundingClientRect().width / wide);
  return [inside, past, (parseFloat(getComputedStyle(bar, '::after').left) + 1) / wide];
})"""


def axis(size: int) -> float:
    """Where so many bytes lie between 1 MiB and 16 TiB, in powers."""
    return float(np.clip((np.log2(size) - 20) / 24, 0, 1))


def some(rng: np.random.Generator) -> dict[str, Any]:
    heads = int(rng.choice(HEADS))
    return {
        "kind": str(rng.choice(KINDS)),
        "layers": int(rng.integers(1, 161)),
        "heads": heads,
        "kv": int(rng.choice([n for n in HEADS if n <= heads and heads % n == 0])),
        "width": int(rng.choice([32, 64, 80, 96, 128, 192, 256])),
        "latent": int(rng.choice([64, 128, 256, 512, 1024])),
        "rope": int(rng.choice([0, 16, 32, 64, 128])),
        "size": int(rng.choice([1, 2, 4])),
        "tokens": 2 ** int(rng.integers(8, 21)),
        "window": int(rng.choice([0, 0, 1024, 4096])),
        "batch": 2 ** int(rng.integers(0, 11)),
        "room": int(rng.choice([8, 24, 80, 640])),
    }


def counted(state: dict[str, Any], tokens: int, B: int = 1) -> dict[str, int]:
    """The bytes of each kind, by the reference."""
    common = {"layers": state["layers"], "size": state["size"], "B": B}
    kept = {"MHA": state["heads"], "GQA": state["kv"], "MQA": 1}
    found = {k: cache_bytes(tokens, Hkv=n, D=state["width"], **common) for k, n in kept.items()}
    C, R = state["latent"], state["rope"]
    return {**found, "MLA": latent_cache_bytes(tokens, C=C, R=R, **common)}


def close(text: str, exact: int, units: dict[str, int]) -> None:
    """The printed amount is the exact one, to three decimals of its unit."""
    digits, unit = text.split()
    assert abs(float(digits) - exact / units[unit]) <= 0.000501, (text, exact)
    assert 1 <= exact / units[unit] < 1024 or unit in ("bytes", "PiB", "PB"), text


def rows(widget: Locator) -> dict[str, list[str]]:
    return {
        kind: widget.locator(
            f"tr[data-kind={kind}] td:is(.who, .all, .decimal)"
        ).all_text_contents()
        for kind in KINDS
    }


def test_bars_amounts_and_the_sentence_are_those_of_attnref_in_random_states(
    open_widget: Open,
) -> None:
    widget, rng = open_widget(TAG), np.random.default_rng(1)
    for _ in range(40):
        state = some(rng)
        assign(widget, **state)
        kept = min(state["tokens"], state["window"] or state["tokens"])
        want, one = counted(state, kept, state["batch"]), counted(state, 1)
        found = numbers(widget)
        assert {kind: found["rows"][kind]["all"] for kind in KINDS} == want
        assert {kind: found["rows"][kind]["token"] for kind in KINDS} == one
        drawn = widget.locator(".w-caches .w-gauge").evaluate_all(MEASURE)
        verdicts = widget.locator(".w-caches .verdict").all_text_contents()
        line = axis(state["room"] * 2**30)
        for kind, (inside, past, at), verdict in zip(KINDS, drawn, verdicts, strict=True):
            share, fits = axis(want[kind]), want[kind] <= state["room"] * 2**30
            np.testing.assert_allclose(inside, min(share, line), atol=0.01)
            np.testing.assert_allclose(past, max(0, share - line), atol=0.01)
            np.testing.assert_allclose(at, line, atol=0.01)
            assert verdict == ("fits" if fits else "too much")
        for kind, (_, binary, decimal) in rows(widget).items():
            close(binary, want[kind], BINARY)
            close(decimal, want[kind], DECIMAL)
        says = widget.locator(".w-says").inner_text()
        own, left = want[state["kind"]], state["room"] * 2**30 - want[state["kind"]]
        assert f"= {one[state['kind']]:,}\xa0bytes a token" in says
        assert ("The cache fits in" in says) == (left >= 0)
        assert ("does not fit" in says) == (left < 0)
        amounts = [part.split(",")[0].rstrip(".") for part in says.split(": ")[2:]]
        close(amounts[0].removeprefix("about "), own, BINARY)
        assert found["left"] == left


def test_layers_and_heads_are_separate_factors_and_query_heads_count_for_mha_alone(
    open_widget: Open,
) -> None:
    widget = open_widget(TAG)
    first = numbers(widget)["rows"]
    assert {kind: row["token"] for kind, row in first.items()} == {
        "MHA": 2 * 80 * 64 * 128 * 2,
        "GQA": 327_680,
        "MQA": 2 * 80 * 128 * 2,
        "MLA": 80 * (512 + 64) * 2,
    }
    assert "2 · 80 · 8 · 128 · 2 = 327,680" in widget.locator(".w-says").inner_text()
    for change, moved in (
        ({"layers": 40}, set(KINDS)),
        ({"layers": 80, "kv": 16}, {"GQA"}),
        ({"kv": 8, "heads": 128}, {"MHA"}),
        ({"heads": 64, "latent": 256}, {"MLA"}),
        ({"latent": 512, "rope": 0}, {"MLA"}),
    ):
        assign(widget, **change)
        now = numbers(widget)["rows"]
        assert {kind for kind in KINDS if now[kind] != first[kind]} == moved
    assign(widget, rope=64, tokens=65536, window=4096)
    inside = numbers(widget)["rows"]
    assign(widget, tokens=1048576)
    assert numbers(widget)["rows"] == inside, "past its window a cache stops growing"
    texts = widget.locator(".w-fallback tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].slice(-2).map(cell => cell.textContent))"
    )
    assign(widget, tokens=8192, window=0)
    for (binary, decimal), kind in zip(texts, KINDS, strict=True):
        close(binary.strip(), numbers(widget)["rows"][kind]["all"], BINARY)
        close(decimal.strip(), numbers(widget)["rows"][kind]["all"], DECIMAL)


def test_each_published_model_gives_its_own_bytes_and_names_its_source(open_widget: Open) -> None:
    widget = open_widget(TAG)
    models = widget.get_by_role("combobox", name="published model")
    models.locator("option").nth(len(MODELS)).wait_for(state="attached")
    names = models.locator("option").all_text_contents()
    assert names == ["your own numbers", *[model["name"] for model in MODELS]]
    assert models.locator("option:checked").inner_text() == "Llama 3 70B"
    for model in MODELS:
        models.select_option(model["name"])
        frame(widget.page)
        frame(widget.page)
        layers, Hkv = model["layers"], model["kv_heads"]
        if Hkv is None:
            C, R = model["latent_width"], model["rope_width"]
            kind, want = "MLA", latent_cache_bytes(1, layers=layers, C=C, R=R)
        else:
            kind = "MHA" if Hkv == model["query_heads"] else "MQA" if Hkv == 1 else "GQA"
            want = cache_bytes(1, layers=layers, Hkv=Hkv, D=model["head_width"])
        assert widget.get_attribute("kind") == kind, model["name"]
        assert numbers(widget)["rows"][kind]["token"] == want
        assert widget.get_attribute("window") == str(model["window"] or 0)
        assert widget.get_by_role("radio", name=kind).is_checked()
        assert models.locator("option:checked").inner_text() == model["name"]
        source = widget.locator(".w-model + .w-note")
        assert f"paper, {model['place']}." in source.inner_text()
        conditions = widget.locator(".w-caches .if:visible")
        assert conditions.count() == 3, "what the model would keep, were it of another kind"
        link = source.get_by_role("link").get_attribute("href")
        assert str(link).endswith(f"/reference/bibliography/#{model['source']}")
    models.select_option("your own numbers")
    assert "Your own numbers" in widget.locator(".w-model + .w-note").inner_text()
    assign(widget, layers=7)
    assert models.locator("option:checked").inner_text() == "your own numbers"
    assert "Your own numbers" in widget.locator(".w-model + .w-note").inner_text()


def test_without_its_list_it_says_so_and_calculates_all_the_same(
    visit: Visit, new_context: Any, noise: list[str]
) -> None:
    page = new_context().new_page()
    page.route("**/models.json", lambda route: route.fulfill(status=404, body=""))
    page.goto(WHERE[TAG])
    widget = wake(page, TAG)
    note = widget.get_by_text("The list of published models could not be loaded.")
    note.wait_for()
    assign(widget, layers=40)
    assert note.is_visible()
    assert numbers(widget)["rows"]["GQA"]["token"] == 163_840
    assert widget.locator("option").all_text_contents() == ["your own numbers"]
    noise.clear()


def test_controls_work_by_keyboard_and_by_touch(open_widget: Open) -> None:
    widget = open_widget(TAG, has_touch=True, width=360)
    for name, key, attribute, value in (
        ("layers", "ArrowRight", "layers", "81"),
        ("KV heads (GQA)", "ArrowLeft", "kv", "4"),
        ("query heads", "End", "heads", "128"),
        ("window", "ArrowRight", "window", "256"),
        ("memory, GiB", "Home", "room", "8"),
    ):
        press(widget, widget.get_by_role("slider", name=name, exact=True), key)
        assert widget.get_attribute(attribute) == value
    widget.get_by_role("radio", name="MLA").tap()
    frame(widget.page)
    assert widget.get_attribute("kind") == "MLA"
    assert said(widget.locator("tr.on td").first.inner_text()) == [512, 64]
    assert widget.locator("tr.on td").first.inner_text() == "512 + 64"
    idle = widget.locator(".w-dial.idle input").evaluate_all("all => all.map(x => x.ariaLabel)")
    assert idle == ["query heads", "KV heads (GQA)", "width of a head"]


@pytest.mark.parametrize(("heads", "kv", "taken"), [(48, 32, 16), (40, 64, 40), (1, 128, 1)])
def test_key_heads_that_do_not_divide_are_taken_for_fewer(
    open_widget: Open, heads: int, kv: int, taken: int
) -> None:
    widget = open_widget(TAG)
    assign(widget, heads=heads, kv=kv)
    assert numbers(widget)["kv"] == taken
