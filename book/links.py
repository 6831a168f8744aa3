"""Checks a built site as a browser would see it: every link leads somewhere, nothing leaves."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

HOST = "https://book.invalid/"
LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}


class PageLinks(HTMLParser):
    """The ids of a page, where it links to, and what it loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif "canonical" not in values.get("rel", "") and LOADED.get(tag, "") in values:
            self.loads.append(values[LOADED[tag]])


def faults(site: Path, address: str) -> Iterator[str]:
    """What is wrong with the links of a site that will live at `address`."""
    base = urlsplit(address).path.rstrip("/") + "/"
    pages = {page: PageLinks(page.read_text(encoding="utf-8")) for page in site.rglob("*.html")}
    for page, found in sorted(pages.items()):
        name = page.relative_to(site).as_posix()
        for double in sorted({one for one in found.ids if found.ids.count(one) > 1}):
            yield f"{name}: two elements have the id {double!r}"
        here = urljoin(HOST + base.lstrip("/"), name.removesuffix("index.html"))
        for link in [*found.links, *found.loads]:
            target = urlsplit(urljoin(here, link))
            if target.scheme not in ("http", "https"):
                continue
            if not target.geturl().startswith(HOST):
                if link in found.loads:
                    yield f"{name}: loads {link} from another host"
                continue
            file = site / unquote(target.path.removeprefix(base))
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file():
                yield f"{name}: links to {link}, which does not exist"
            elif (
                target.fragment
                and file in pages
                and unquote(target.fragment) not in pages[file].ids
            ):
                yield f"{name}: links to {link}, which has no such place"
