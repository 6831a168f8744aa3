from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.acts import thin, unfold
from tests.browser.conftest import Visit
from tests.browser.website import PAGES

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")
MATERIALS = [
    ".md-code__nav",  # landmark-unique: a nameless <nav> around every copy button
]


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1440)])
@pytest.mark.parametrize("where", PAGES)
def test_axe_finds_nothing_on_a_page_with_every_fold_open(
    visit: Visit, where: str, scheme: str, width: int
) -> None:
    page = visit(where, scheme=scheme, width=width)
    unfold(page)
    thin(page)
    found = Axe().run(
        page,
        context={"exclude": [[selector] for selector in MATERIALS]},
        options={"runOnly": RULES, "resultTypes": ["violations"]},
    )
    faults = found.response["violations"]
    assert not faults, "\n".join(map(_told, faults))


def _told(fault: dict[str, Any]) -> str:
    nodes = "\n".join(f"  {node['target']} {node['html'][:400]}" for node in fault["nodes"][:8])
    return f"{fault['id']}: {fault['help']} ({len(fault['nodes'])})\n{nodes}"
