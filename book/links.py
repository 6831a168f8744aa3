"""Checks a built site as a browser would see it: every link leads somewhere, nothing leaves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

HOST = "https://book.invalid/"
SKIPPED = re.compile(r"(<script\b[^>]*>).*?</script>|<!--.*?-->", re.S)
TAG = re.compile(r"""<(?P<name>[a-z][\w-]*)(?P<rest>(?:\s(?:"[^"]*"|'[^']*'|[^>"'])*)?)>""", re.I)
ATTRIBUTE = re.compile(r"""(?<![\w-])(id|href|src|rel)=["']?((?<=")[^"]*|(?<=')[^']*|[^\s"'>]*)""")
LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}


class PageLinks:
    """The ids of a page, where it links to, and what it loads."""

    def __init__(self, html: str) -> None:
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        for tag in TAG.finditer(SKIPPED.sub(r"\1", html)):
            values = {name: unescape(value) for name, value in ATTRIBUTE.findall(tag["rest"])}
            if "id" in values:
                self.ids.append(values["id"])
            if tag["name"] == "a" and "href" in values:
                self.links.append(values["href"])
            elif "canonical" not in values.get("rel", "") and LOADED.get(tag["name"], "") in values:
                self.loads.append(values[LOADED[tag["name"]]])


def faults(site: Path, address: str) -> Iterator[str]:
    """What is wrong with the links of a site that will live at `address`."""
    base = urlsplit(address).path.rstrip("/") + "/"
    pages = {page: PageLinks(page.read_text(encoding="utf-8")) for page in site.rglob("*.html")}
    ids = {page: set(found.ids) for page, found in pages.items()}

    @cache
    def file(path: str) -> Path | None:
        found = site / unquote(path.removeprefix(base))
        found = found / "index.html" if found.is_dir() else found
        return found if found.is_file() else None

    for page, found in sorted(pages.items()):
        name = page.relative_to(site).as_posix()
        for double in sorted(one for one, n in Counter(found.ids).items() if n > 1):
            yield f"{name}: two elements have the id {double!r}"
        here = urljoin(HOST + base.lstrip("/"), name.removesuffix("index.html"))
        for link in dict.fromkeys([*found.links, *found.loads]):
            target = urlsplit(urljoin(here, link))
            if target.scheme not in ("http", "https"):
                continue
            if not target.geturl().startswith(HOST):
                if link in found.loads:
                    yield f"{name}: loads {link} from another host"
                continue
            led = file(target.path)
            if led is None:
                yield f"{name}: links to {link}, which does not exist"
            elif target.fragment and led in pages and unquote(target.fragment) not in ids[led]:
                yield f"{name}: links to {link}, which has no such place"
