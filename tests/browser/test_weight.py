from __future__ import annotations

import gzip
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Response

from tests.browser.website import CHAPTER, HOME, LAB

BUDGET = 200_000  # bytes, before a reader touches anything
COMPRESSED = (".png",)


@pytest.mark.parametrize("where", [HOME, CHAPTER, LAB])
def test_a_page_with_all_it_loads_is_light(context: BrowserContext, where: str) -> None:
    loaded: list[Response] = []
    context.on("response", lambda response: loaded.append(response))
    context.new_page().goto(where, wait_until="networkidle")
    parts = sorted(((_size(one), urlsplit(one.url).path) for one in loaded), reverse=True)
    total = sum(size for size, _ in parts)
    table = "\n".join(f"{size:9,} {path}" for size, path in [*parts, (total, "in all")])
    assert any(path.endswith("fonts.css") for _, path in parts)
    assert total <= BUDGET, f"more than {BUDGET:,} bytes\n{table}"


def _size(response: Response) -> int:
    body = response.body()
    packed = urlsplit(response.url).path.endswith(COMPRESSED)
    return len(body) if packed else len(gzip.compress(body, 9))
