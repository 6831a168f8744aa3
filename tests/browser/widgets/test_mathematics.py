"""kit/attention.js is the book's reference in the browser, and these tests would see it break."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, Route

from attnref import masks, softmax
from tests.browser.conftest import Visit
from tests.browser.website import DOCS
from tests.browser.widgets.harness import head

KIT = "kit/attention.js"
CALL = """async ([Q, K, V, causal]) => {
  const kit = await import(new URL('../../widgets/kit/attention.js', location.href));
  const seen = causal ? kit.causal(Q.length, K.length) : undefined;
  const stages = kit.attention(Q, K, V, { seen });
  const finite = M => M.map(row => row.map(x => (Number.isFinite(x) ? x : null)));
  return { ...stages, masked: finite(stages.masked) };
}"""
BREAKS = {  # how the module could be wrong: a piece of it, and what would stand there
    "scale": ("s / Math.sqrt(D)", "s / D"),
    "mask": ("j <= i + S - L", "j <= i"),
    "axis": ("softmaxRows(masked)", "softmaxColumns(masked)"),
    "sign": ("Math.exp(s - top)", "Math.exp(top - s)"),
    "index": ("sum + x * b[d]", "sum + x * b[0]"),
}


def agrees(page: Page) -> None:
    """Random heads of all shapes, causal and not, through the module and through attnref."""
    rng = np.random.default_rng(0)
    for trial in range(40):
        L, S, D, Dv = rng.integers(1, 7, 4)
        Q, K, V = rng.normal(size=(L, D)), rng.normal(size=(S, D)), rng.normal(size=(S, Dv))
        causal = bool(trial % 2)
        got = page.evaluate(CALL, [Q.tolist(), K.tolist(), V.tolist(), causal])
        got["masked"] = [[-np.inf if x is None else x for x in row] for row in got["masked"]]
        for name, want in head(Q, K, V, causal=causal).items():
            np.testing.assert_allclose(got[name], want, rtol=1e-12, atol=1e-12, err_msg=name)


def test_the_module_agrees_with_attnref_on_random_heads(visit: Visit) -> None:
    agrees(visit())


@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_module_is_noticed(visit: Visit, how: str) -> None:
    source = (DOCS / "widgets" / KIT).read_text(encoding="utf-8")
    old, new = BREAKS[how]
    assert source.count(old) == 1
    page = visit()

    def broken(route: Route) -> None:
        route.fulfill(body=source.replace(old, new), content_type="text/javascript")

    page.route(f"**/{KIT}", broken)
    with pytest.raises(AssertionError):
        agrees(page)


def test_softmax_is_stable_and_a_fully_masked_row_gives_zeros(visit: Visit) -> None:
    got = visit().evaluate("""async () => {
      const { attention, causal, softmax, softmaxColumns } =
        await import(new URL('../../widgets/kit/attention.js', location.href));
      const one = [[1, 2]];
      return { big: softmax([1000, 1001]), none: softmax([-Infinity, -Infinity]),
        columns: softmaxColumns([[1, 5], [2, 5]]), tall: causal(3, 2), wide: causal(2, 4),
        masked: attention(one, one, one, { seen: [[false]] }) };
    }""")
    np.testing.assert_allclose(got["big"], softmax(np.array([0.0, 1.0])))
    assert got["none"] == [0, 0]
    np.testing.assert_allclose(np.sum(got["columns"], axis=0), 1)
    assert got["tall"] == masks.causal(3, 2).tolist()
    assert got["wide"] == masks.causal(2, 4).tolist()
    assert got["masked"]["weights"] == [[0]]
    assert got["masked"]["output"] == [[0, 0]]
