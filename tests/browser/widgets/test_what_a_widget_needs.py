"""What a widget weighs, and where it is listed."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from book import widgets
from tests.browser.website import DOCS
from tests.browser.widgets.harness import TAGS, WHERE


def test_a_widget_weighs_little() -> None:
    """Gzipped, its scripts have 6 KB, and all that a reader loads to see it 30 KB."""
    common = {widgets.FOLDER / "index.js", widgets.FOLDER / "widgets.css"}
    for tag in TAGS:
        script = widgets.FOLDER / f"{tag.removeprefix('attn-')}.js"
        loaded = imported(script) | {script.with_suffix(".css")} | common
        scripts = {file for file in loaded - common if file.suffix == ".js"}
        own = [file for file in scripts if file.parent == widgets.FOLDER]
        assert weight(own) <= 6 * 1024, tag
        assert weight(loaded) <= 30 * 1024, tag


def weight(files: Iterable[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)


def imported(module: Path) -> set[Path]:
    """A module, and all that it loads."""
    names = re.findall(r"from '(\.[^']+)'", module.read_text(encoding="utf-8"))
    return {module}.union(*(imported((module.parent / name).resolve()) for name in names))


def test_the_reference_page_leads_to_every_widget() -> None:
    """Each has a line: `| [Chapter](…) | [`name`](../chapters/NN-name.md#section) | … |`."""
    listed = (DOCS / "reference/widgets.md").read_text(encoding="utf-8")
    for tag in TAGS:
        where = WHERE[tag].rstrip("/")
        assert f"[`{tag.removeprefix('attn-')}`](../{where}.md#" in listed, tag
