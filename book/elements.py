"""Small Markdown additions: section numbers, quizzes, tidy tables, citations from one bibliography."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import yaml
from markdown import Extension
from markdown.extensions.toc import slugify
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from . import program


class Citations(Preprocessor):
    """Append the footnote of every `[^key]` that the bibliography knows."""

    def __init__(self, md, path):
        super().__init__(md)
        self.entries = yaml.safe_load(Path(path).read_text())

    def run(self, lines):
        text = "\n".join(lines)
        used = dict.fromkeys(re.findall(r"\[\^([\w-]+)\](?!:)", text))
        known = [key for key in used if key in self.entries and f"[^{key}]:" not in text]
        return [*lines, "", *(f"[^{key}]: {self.entries[key]}" for key in known)]


class Sections(Treeprocessor):
    """Number the sections of a chapter: 7.1, 7.2, …"""

    def run(self, root):
        chapter = program.meta.get("chapter")
        if chapter is None or root.find("h1") is None:
            return
        for number, heading in enumerate(root.findall("h2"), 1):
            heading.set("id", heading.get("id") or slugify("".join(heading.itertext()), "-"))
            label = ET.Element("span", {"class": "secno"})
            label.text, label.tail = f"{chapter}.{number}", f" {heading.text or ''}"
            heading.text = None
            heading.insert(0, label)


class Quiz(Treeprocessor):
    """A definition list in a quiz box becomes options that open to say why."""

    def run(self, root):
        parents = {child: parent for parent in root.iter() for child in parent}
        quizzes = [node for node in root.iter("div") if "quiz" in node.get("class", "").split()]
        for number, quiz in enumerate(quizzes, 1):
            for dl in list(quiz.iter("dl")):
                box = ET.Element("div", {"class": "options"})
                for node in dl:
                    if node.tag == "dt":
                        right = node.text.startswith("(x)")
                        option = ET.SubElement(
                            box,
                            "details",
                            {
                                "class": "option right" if right else "option",
                                "name": f"quiz-{number}",
                            },
                        )
                        node.tag, node.text = "summary", node.text[3:].lstrip()
                        option.append(node)
                    else:
                        node.tag = "div"
                        verdict = ET.Element("strong")
                        verdict.text = "Right. " if right else "Not quite. "
                        first = node if not len(node) or (node.text or "").strip() else node[0]
                        verdict.tail, first.text = first.text, None
                        first.insert(0, verdict)
                        option.append(node)
                parent = parents[dl]
                parent[list(parent).index(dl)] = box


class Tables(Treeprocessor):
    """Give each table a class, so that Material neither restyles nor rewraps it after load."""

    def run(self, root):
        for table in root.iter("table"):
            table.set("class", table.get("class") or "plain")
            corner = table.find("thead/tr/th")
            if (
                corner is not None and not len(corner) and not (corner.text or "").strip()
            ):  # rows have names
                corner.tag = "td"
                for name in table.findall("tbody/tr/td[1]"):
                    name.tag = "th"
                    name.set("scope", "row")


class ElementsExtension(Extension):
    def __init__(self, **options):
        self.config = {"bibliography": ["", "path of the bibliography"]}
        super().__init__(**options)

    def extendMarkdown(self, md):
        md.preprocessors.register(
            Citations(md, self.getConfig("bibliography")), "book_citations", 40
        )
        md.treeprocessors.register(Sections(md), "book_sections", 6)  # before toc
        md.treeprocessors.register(Quiz(md), "book_quiz", 3)
        md.treeprocessors.register(Tables(md), "book_tables", 2)


def makeExtension(**options):
    return ElementsExtension(**options)
