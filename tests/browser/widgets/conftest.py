from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import Visit
from tests.browser.widgets.harness import WHERE, Open, wake


@pytest.fixture
def open_widget(visit: Visit) -> Open:
    """Opens a page with a widget, nothing else of its chapter, and wakes it; gives the element."""

    def opened(tag: str, where: str = "", **options: Any) -> Locator:
        page = visit(WHERE[tag] + where, **{"width": 1280, "only": tag, **options})
        return wake(page, tag)

    return opened
