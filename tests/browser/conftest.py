"""A browser on the built book. No test may make the console speak or a request leave."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from filelock import FileLock
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Route

from tests.browser import website
from tests.browser.install import find
from tests.browser.website import CHAPTER

FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--font-render-hinting=none",  # letters as wide as a phone has them
)
# Links change the page without a reload once Material knows the site's pages, from its sitemap.
SETTLED = """async () => {
  await document.fonts.ready;
  const scripted = !document.documentElement.classList.contains('no-js');
  const fetched = performance.getEntriesByType('resource');
  const sitemap = fetched.some(({name, responseEnd}) => /sitemap.xml$/.test(name) && responseEnd);
  return scripted && sitemap && document.readyState === 'complete';
}"""

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the book. Each worker has its own; the lock keeps builds from colliding."""
    folder = tmp_path_factory.mktemp("site")
    with website.serve(folder) as address:
        with FileLock(tmp_path_factory.getbasetemp().parent / "site.lock"):
            website.build(folder, address)
        yield address


@pytest.fixture(scope="session")
def base_url(site: str) -> str:
    return site


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "args": FLAGS, "executable_path": find()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "reduced_motion": "reduce"}


@pytest.fixture
def noise() -> list[str]:
    """What no page may do, as it happens: a message, an error, a request to another host."""
    return []


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], site: str, noise: list[str]
) -> Iterator[Callable[..., BrowserContext]]:
    """Opens a browser window that nothing is remembered in; `page` and `visit` come from here."""

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            noise.append(f"console {message.type}: {message.text} ({message.location})")

    def guarded(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.on("console", on_console)
        context.on("weberror", lambda error: noise.append(f"page error: {error.error}"))
        context.on("request", lambda request: _check_host(request.url, site, noise))
        return context

    yield guarded
    assert not noise


@pytest.fixture
def visit(new_context: Callable[..., BrowserContext]) -> Visit:
    """Opens a page, or `only` the first element of a name on it, and waits until it has settled."""

    def open_page(
        where: str = CHAPTER,
        *,
        width: int = 1440,
        scheme: str = "light",
        only: str | None = None,
        **options: Any,
    ) -> Page:
        viewport = {"width": width, "height": 900}
        page = new_context(viewport=viewport, color_scheme=scheme, **options).new_page()
        if only:
            page.route(f"**/{where.partition('#')[0]}", lambda route: _cut(route, only))
        page.goto(where)
        if options.get("java_script_enabled", True):
            page.wait_for_function(SETTLED)
        return page

    return open_page


@pytest.fixture
def chapter(visit: Visit) -> Page:
    return visit(CHAPTER)


def _cut(route: Route, tag: str) -> None:
    """Of an article, a single element: it takes half the time to load."""
    html = route.fetch().text()
    before, article, rest = re.split(r"(<article[^>]*>)", html, maxsplit=1)
    kept = re.search(rf"<{tag}[ >].*?</{tag}>", rest, flags=re.S)
    assert kept, f"no <{tag}> at {route.request.url}"
    after = rest[rest.index("</article>") :]
    route.fulfill(body=before + article + kept[0] + after, content_type="text/html")


def _check_host(url: str, site: str, noise: list[str]) -> None:
    if not url.startswith((site, "data:", "blob:")):
        noise.append(f"request to {url}")
