"""What a built site still needs: the theme's style sheets in a layer, the snippets, the fonts."""

from __future__ import annotations

import re
from pathlib import Path

from book import fonts
from book.rendering import ROOT
from proofread.reading.fences import MARK


def finish(site: Path) -> None:
    layer_material(site / "assets")
    publish_snippets(site / "snippets")
    fonts.cut(site)


def publish_snippets(target: Path) -> None:
    """Each program without the marks of its sections, and what it prints."""
    for file in [*(ROOT / "snippets").glob("*/*.py"), *(ROOT / "snippets").glob("*/*.out")]:
        text = MARK.sub("", file.read_text(encoding="utf-8"))
        (target / file.parent.name).mkdir(parents=True, exist_ok=True)
        (target / file.parent.name / file.name).write_text(text, encoding="utf-8")


def layer_material(assets: Path) -> None:
    """Put the theme's style sheets in a cascade layer: whatever the book says wins."""
    sheets = [next(assets.glob(f"stylesheets/{name}.*.min.css")) for name in ("main", "palette")]
    rules = "".join(
        re.sub(r"@charset[^;]*;|/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)
        for sheet in sheets
    )
    (assets / "material.css").write_text(f"@layer material{{{rules}}}", encoding="utf-8")
