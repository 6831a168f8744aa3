"""Which HTML a page may hold: elements whose content is Markdown, and tags inside a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from proofread.reading.attributes import TAG

BLOCK = re.compile(
    r"address|article|aside|blockquote|body|canvas|center|d[dlt]|details|dialog|div|fieldset|"
    r"figcaption|figure|footer|form|h[1-6]|header|iframe|legend|li|main|menu|nav|noscript|object|"
    r"ol|option|p|pre|section|select|summary|svg|table|tbody|td|template|textarea|tfoot|th|thead|"
    r"tr|ul|video|\w+-.*"  # an element of our own
)
NEVER = {"script", "style", "textarea", "math", "title"}
VOID = {
    "area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
}  # fmt: skip
LOOSE = re.compile(r"</?[A-Za-z][^<>@\s]*(?:\s[^<>]*)?>")  # what Markdown takes for a tag
ENTITY = re.compile(r"&(?:#\w+|\w+);")
ENTITIES = {"&amp;", "&lt;", "&gt;", "&quot;", "&nbsp;", "&ndash;", "&mdash;", "&hellip;"}
MARKDOWN = re.compile(r"\smarkdown(?:\s*=\s*[\"']?(?:1|block|span)[\"']?)?(?=[\s/>])")


def is_block(tag: str) -> bool:
    """True for the tag of an element that stands by itself, as `<div markdown>` does."""
    element = TAG.fullmatch(tag)
    return element is not None and BLOCK.fullmatch(element["name"].lower()) is not None


def problems(tag: str) -> Iterator[str]:
    """Why a tag cannot stay: what is in it would not be read as what shows."""
    element = TAG.fullmatch(tag)
    name = element["name"].lower() if element else ""
    if tag.startswith("</"):
        return
    if name in NEVER:
        yield f"<{name}> in a page: its content cannot be checked"
    elif is_block(tag) and not MARKDOWN.search(tag):
        yield f"<{name}> holds raw HTML: write <{name} markdown> and Markdown in it"


def unbalanced(tags: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The tags that open an element and never close it, or close what is not open."""
    opened: list[tuple[int, str]] = []
    for at, tag in tags:
        element = TAG.fullmatch(tag)
        name = element["name"].lower() if element else ""
        if name in VOID or tag.endswith("/>"):
            continue
        if not tag.startswith("</"):
            opened.append((at, name))
        elif opened and opened[-1][1] == name:
            opened.pop()
        else:
            yield at, f"{tag} closes nothing that is open here"
    yield from ((at, f"<{name}> is never closed") for at, name in opened)


def leftovers(masked: str) -> Iterator[tuple[int, str]]:
    """What Markdown would hide or turn into another character."""
    for m in LOOSE.finditer(masked):
        yield m.start(), f"cannot read the tag {m[0]}"
    for m in ENTITY.finditer(masked):
        if m[0] not in ENTITIES:
            yield m.start(), f"{m[0]} shows another character: write the character itself"
