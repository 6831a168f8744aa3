"""What the book cites: footnotes for its pages, and the page that lists it all."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from markdown.preprocessors import Preprocessor

from book.rendering import ROOT

FILE = ROOT / "docs/reference/bibliography.toml"
CITED = re.compile(r"\[\^([a-z][\w-]*\d{4}\w?)\](?!:)")  # [^vaswani2017]


def entries(file: Path = FILE) -> dict[str, dict[str, Any]]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def by_arxiv() -> dict[str, str]:
    """The keys of the sources that have an arXiv number, by that number."""
    return {entry["arxiv"]: key for key, entry in entries().items() if "arxiv" in entry}


def reference(entry: dict[str, Any]) -> str:
    """One source, as Markdown."""
    text = f"{entry['authors']}. “{entry['title']}”. {entry['year']}."
    if "arxiv" in entry:
        text += f" [arXiv:{entry['arxiv']}](https://arxiv.org/abs/{entry['arxiv']})."
    if "doi" in entry:
        text += f" [doi:{entry['doi']}](https://doi.org/{entry['doi']})."
    return text


def listing() -> str:
    """All sources by author and year, with the numbers that pages quote from each."""
    lines = []
    for key, entry in sorted(entries().items()):
        lines += [f"`{key}`{{ #{key} }}", f":   {reference(entry)}", ""]
        for place, figures in entry.get("figures", {}).items():
            lines += [f"    Quoted from {place}: {', '.join(figures)}.", ""]
    return "\n".join(lines)


class Citations(Preprocessor):
    """Appends the footnote of every `[^key]` that the bibliography knows."""

    def run(self, lines: list[str]) -> list[str]:
        text = "\n".join(lines)
        used = [key for key in dict.fromkeys(CITED.findall(text)) if f"[^{key}]:" not in text]
        if not used:
            return lines
        sources = entries()
        unknown = [key for key in used if key not in sources]
        if unknown:
            raise ValueError(f"not in the bibliography: {', '.join(unknown)}")
        return [*lines, "", *(f"[^{key}]: {reference(sources[key])}" for key in used)]
