"""Join the book to MkDocs: run each page before it is rendered, frame what ran, publish the snippets."""

from __future__ import annotations

import os
import re
import shutil
import sys
from datetime import date
from html import escape
from pathlib import Path

os.environ.setdefault("TRITON_INTERPRET", "1")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import markdown_exec  # noqa: E402
from markdown_exec import base_format  # noqa: E402
from markupsafe import Markup  # noqa: E402
from mkdocs.exceptions import PluginError  # noqa: E402

from book import program  # noqa: E402
from book.claims import ledger  # noqa: E402
from book.mathml import NOTATION  # noqa: E402

NAMES = {**{k: v for k, v in NOTATION.items() if k not in "aos"}, "raw": "s", "scaled": "a"}
NAME = re.compile(r'<span class="n">(\w+)</span>')
WORDS_A_MINUTE = 180


def frame(block: program.Block, parts: list[str]) -> str:
    """Source and output as one exhibit, with the file it comes from and where it ran."""
    source, *output = parts
    source = NAME.sub(
        lambda m: f'<span class="n c-{NAMES[m[1]]}">{m[1]}</span>' if m[1] in NAMES else m[0],
        source,
    )
    name = escape(block.file)
    if (ROOT / "snippets" / block.file).is_file():
        name = f'<a href="{"../" * program.meta["depth"]}snippets/{name}">{name}</a>'
    else:
        name = f"<span>{name.rpartition('/')[2]}</span>"
    if not block.out:
        output = []
    printed = (
        f'<div class="out no-copy" role="group" aria-label="Output"><span class="label" aria-hidden="true">prints</span>{output[0]}</div>'
        if output
        else ""
    )
    return (
        f'<figure class="run" id="{block.id}"><figcaption data-search-exclude>{name} '
        f'<span class="device">{block.device}</span></figcaption>{source}{printed}</figure>'
    )


def render(**fence) -> Markup:
    """The formatter that markdown-exec calls for each executed fence."""
    block = next(page_blocks)
    rendered = base_format(language="python", run=lambda code, **_: block.out.rstrip("\n"), **fence)
    if not fence.get("source"):
        return Markup(rendered.replace('class="highlight"', 'class="highlight no-copy"'))  # noqa: S704
    parts = [
        f'<div class="highlight"{part}' for part in rendered.split('<div class="highlight"')[1:]
    ]
    parts = parts or re.findall(r'<div class="[^"]*highlight.*?</div>', rendered, re.S)
    return Markup(frame(block, parts))  # noqa: S704


def on_config(config):
    markdown_exec.formatters["python"] = render
    return config


def on_env(env, files, **_):
    """Put the chapter's number before its title, in navigation and at the foot of the page."""
    for file in files.documentation_pages():
        if "chapter" in (meta := file.page.meta):
            file.page.title = f"{meta['chapter']:\u2007>2}\u2002{meta['title']}"
    return env


def on_page_markdown(markdown, page, **_):
    global page_blocks
    try:
        program.current = program.run(
            Path(page.file.abs_src_path), markdown, ROOT / "snippets", f"docs/{page.file.src_uri}"
        )
    except program.ClaimError as error:
        raise PluginError(str(error)) from None
    program.meta = {**page.meta, "depth": page.url.count("/")}
    page_blocks = iter(program.current.blocks)
    words = len(re.sub(r"```.*?```|<!--.*?-->", "", markdown, flags=re.S).split())
    page.meta |= {
        "words": words,
        "minutes": max(1, round(words / WORDS_A_MINUTE)),
        "numbers": program.current.count,
        "built": date.today().isoformat(),
        "devices": "CPU",
    }
    return markdown


def on_page_content(html, page, **_):
    page.meta["ledger"] = ledger(program.current) if program.current.claims else ""
    program.current = None
    return html


def on_post_page(output, **_):
    return output.replace(
        'role="dialog"', 'role="dialog" aria-label="Search"', 1
    )  # Material leaves it nameless


def on_post_build(config, **_):
    layer_material(Path(config.site_dir) / "assets")
    shutil.copytree(
        ROOT / "snippets",
        Path(config.site_dir) / "snippets",
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__"),
    )


def layer_material(assets: Path) -> None:
    """Put the theme's style sheets in a cascade layer: whatever the book says, in any selector, wins."""
    sheets = [next(assets.glob(f"stylesheets/{name}.*.min.css")) for name in ("main", "palette")]
    rules = "".join(
        re.sub(r"@charset[^;]*;|/\*.*?\*/", "", sheet.read_text(), flags=re.S) for sheet in sheets
    )
    (assets / "material.css").write_text(f"@layer material{{{rules}}}")
