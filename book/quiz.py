"""A definition list in a quiz box becomes options that open to say why they are right or wrong.

!!! quiz "Question?"

    ( ) A wrong answer.
    :   Why it is wrong.

    (x) The right answer.
    :   Why it is right.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from markdown.treeprocessors import Treeprocessor


class Quiz(Treeprocessor):
    """Options need no script: each is a <details>, and one question keeps one open."""

    def run(self, root: ET.Element) -> None:
        parents = {child: parent for parent in root.iter() for child in parent}
        boxes = [div for div in root.iter("div") if "quiz" in div.get("class", "").split()]
        for number, box in enumerate(boxes, 1):
            for answers in list(box.iter("dl")):
                options = ET.Element("div", {"class": "options"})
                for node in answers:
                    if node.tag == "dt":
                        options.append(_option(node, f"quiz-{number}"))
                    else:
                        options[-1].append(_reason(node, "right" in options[-1].get("class", "")))
                parent = parents[answers]
                parent[list(parent).index(answers)] = options


def _option(answer: ET.Element, group: str) -> ET.Element:
    mark, text = (answer.text or "")[:3], (answer.text or "")[3:]
    if mark not in ("(x)", "( )"):
        raise ValueError(f"a quiz option begins with (x) or ( ), not {answer.text!r}")
    kind = "option right" if mark == "(x)" else "option"
    option = ET.Element("details", {"class": kind, "name": group})
    answer.tag, answer.text = "summary", text.lstrip()
    option.append(answer)
    return option


def _reason(node: ET.Element, right: bool) -> ET.Element:
    node.tag = "div"
    verdict = ET.Element("strong")
    verdict.text = "Right. " if right else "Not quite. "
    first = node if not len(node) or (node.text or "").strip() else node[0]
    verdict.tail, first.text = first.text, None
    first.insert(0, verdict)
    return node
