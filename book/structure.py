"""Numbered sections, tables that keep their own looks, links to plans and to source."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from markdown.extensions.toc import slugify
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from book import rendering


class Sections(Treeprocessor):
    """Numbers the sections of a chapter: 7.1, 7.2, …"""

    def run(self, root: ET.Element) -> None:
        page = rendering.current
        if page is None or page.chapter is None or root.find("h1") is None:
            return
        for number, heading in enumerate(root.findall("h2"), 1):
            heading.set("id", heading.get("id") or slugify("".join(heading.itertext()), "-"))
            label = ET.Element("span", {"class": "secno"})
            label.text, label.tail = f"{page.chapter}.{number}", f" {heading.text or ''}"
            heading.text = None
            heading.insert(0, label)


class Tables(Treeprocessor):
    """Gives each table a class, so that Material neither restyles nor rewraps it after load."""

    def run(self, root: ET.Element) -> None:
        for table in root.iter("table"):
            table.set("class", table.get("class") or "plain")
            corner = table.find("thead/tr/th")
            if corner is not None and not len(corner) and not (corner.text or "").strip():
                corner.tag = "td"  # an empty corner: the rows have names
                for name in table.findall("tbody/tr/td[1]"):
                    name.tag = "th"
                    name.set("scope", "row")


class Unwritten(Treeprocessor):
    """Sends a link to what is not written yet to its entry in the contents."""

    def run(self, root: ET.Element) -> None:
        if rendering.current is None:
            return
        for link in root.iter("a"):
            target = link.get("href", "")
            chapter = rendering.current.contents.find(target)
            if chapter and not chapter.written:
                depth = rendering.current.proof.page.path.count("/") - 1
                link.set("href", f"{'../' * depth}index.md#{chapter.place}")
                link.set("class", "unwritten")
                link.set("title", chapter.plan)


class Finished(Preprocessor):
    """Sets a line of the API page aside: it is HTML, and long to read for what is in it."""

    def run(self, lines: list[str]) -> list[str]:
        store = self.md.htmlStash.store
        return [store(line) if line.startswith('<div class="api">') else line for line in lines]


class Sources(Postprocessor):
    """Sends a link to `source:FILE` to that file in the repository."""

    def run(self, text: str) -> str:
        if rendering.current is None:
            return text
        return text.replace('href="source:', f'href="{rendering.current.repository}/blob/main/')
