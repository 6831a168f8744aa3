"""What a built site still needs: the theme's style sheets in a layer, the snippets, the fonts."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from book import fonts
from book.rendering import ROOT


def finish(site: Path) -> None:
    layer_material(site / "assets")
    ignored = shutil.ignore_patterns("__pycache__", "*.toml")
    shutil.copytree(ROOT / "snippets", site / "snippets", dirs_exist_ok=True, ignore=ignored)
    fonts.cut(site)


def layer_material(assets: Path) -> None:
    """Put the theme's style sheets in a cascade layer: whatever the book says wins."""
    sheets = [next(assets.glob(f"stylesheets/{name}.*.min.css")) for name in ("main", "palette")]
    rules = "".join(
        re.sub(r"@charset[^;]*;|/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)
        for sheet in sheets
    )
    (assets / "material.css").write_text(f"@layer material{{{rules}}}", encoding="utf-8")
