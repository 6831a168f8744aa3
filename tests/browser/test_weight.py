from __future__ import annotations

import gzip
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response

from tests.browser.conftest import Visit
from tests.browser.website import CHAPTER, HOME

BUDGET = 200_000  # bytes, before a reader touches anything
COMPRESSED = (".woff2", ".png")


@pytest.mark.parametrize("where", [HOME, CHAPTER])
def test_a_page_with_all_it_loads_is_light(visit: Visit, where: str) -> None:
    page = visit("404.html")
    page.context.clear_cookies()
    loaded: list[Response] = []
    page.context.on("response", loaded.append)
    page.goto(where, wait_until="networkidle")
    parts = {urlsplit(response.url).path: _size(response) for response in loaded}
    table = "\n".join(f"{size:9,} {path}" for path, size in sorted(parts.items(), key=_second))
    total = sum(parts.values())
    print(f"{table}\n{total:9,}")
    assert len(parts) > 5
    assert total <= BUDGET, f"{where} weighs {total:,} bytes\n{table}"


def _size(response: Response) -> int:
    body = response.body()
    packed = urlsplit(response.url).path.endswith(COMPRESSED)
    return len(body) if packed else len(gzip.compress(body, 9))


def _second(pair: tuple[str, int]) -> int:
    return pair[1]
