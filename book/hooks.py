"""Joins the book to MkDocs: proves each page before it is rendered, and all before any is shown."""

from __future__ import annotations

import logging
import re
from datetime import date
from pathlib import Path
from typing import Any

import markdown_exec
from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from book import (
    assets,
    contents,
    exhibit,
    fonts,
    labs,
    ledger,
    links,
    provenance,
    proving,
    receipts,
    rendering,
    templates,
)
from book.rendering import Rendering
from proofread.running.outcome import Ran
from proofread.settings import SettingsError

LOG = logging.getLogger("mkdocs.plugins.book")
WORDS_A_MINUTE = 180

preview = False  # a preview shows a page with its faults; a build refuses to publish it
proved: proving.Proving
book = contents.Contents(())


def on_startup(command: str, **_: Any) -> None:
    global preview
    preview = command == "serve"


def on_config(config: MkDocsConfig, **_: Any) -> MkDocsConfig:
    global book
    markdown_exec.formatters["python"] = markdown_exec.formatters["py"] = exhibit.render
    templates.quicken(config.theme)
    book = contents.load(Path(config.docs_dir))
    if config.nav:  # the first page, the book as its contents have it, all the rest
        config.nav[1:1] = book.navigation()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Begin to run and judge every page; without a clean verdict nothing is published."""
    global proved
    files = labs.pages(files)
    fonts.expect()
    shown = [Path(str(file.abs_src_path)) for file in files.documentation_pages()]
    try:
        proved = proving.prove(shown)
    except SettingsError as error:
        raise PluginError(str(error)) from None
    templates.expect(config.theme)  # while pages run
    if preview and proved.faults:
        LOG.error(proved.faults)
    return files


def on_env(env: Environment, files: Files, **_: Any) -> Environment:
    """Tell the templates of the book's contents, and put its number before a chapter's title."""
    _refuse_faults()
    if proved.trouble:
        LOG.info(proved.trouble)
    LOG.info(proved.summary)
    env.globals["book"] = book
    for file in files.documentation_pages():
        chapter = book.find(file.src_uri)
        if chapter and file.page:
            file.page.meta["chapter"] = chapter
            file.page.meta["description"] = chapter.says
            file.page.title = f"{chapter.number}\u2002{chapter.title}"
    return env


def on_page_read_source(page: Page, **_: Any) -> str:
    """The text that was proven, as soon as it is."""
    proof = proved.of(f"docs/{page.file.src_uri}")
    if proof.findings:
        _refuse_faults()
    return proof.page.source


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    proof = proved.of(f"docs/{page.file.src_uri}")
    up, repository = "../" * page.url.count("/"), (config.repo_url or "").rstrip("/")
    rendering.current = Rendering(proof, book, up, repository)
    words = len(
        re.sub(
            r"```.*?```|<!--.*?-->|\$\$.*?\$\$|\$[^$]+\$|(?m-s:^\|.*$)", "", markdown, flags=re.S
        ).split()
    )
    page.meta.update(
        {
            "minutes": max(1, round(words / WORDS_A_MINUTE)),
            "numbers": ledger.count(proof),
            "built": date.today().isoformat(),
            "device": provenance.devices(proof),
            "faults": [proof.report(finding) for finding in proof.findings],
        }
    )
    if proof.outcome.failure:  # in a preview: there are no outputs to show
        proof.outcome.runs += [Ran()] * len(proof.page.blocks_run)
    front = re.match(r"---\n.*?\n---\n", proof.page.source, re.S)
    marked = receipts.mark(proof)
    return marked[front.end() if front else 0 :]


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    current = rendering.current
    assert current is not None
    missing = set(range(len(current.proof.page.blocks_run))) - current.shown
    if missing and not preview:
        lines = ", ".join(str(current.proof.page.blocks_run[n].line) for n in sorted(missing))
        raise PluginError(f"{current.proof.page.path}:{lines}: ran, but is not on the page")
    page.meta["ledger"] = ledger.ledger(current.proof, current.up, current.repository)
    rendering.current = None
    if labs.is_lab(page.file.src_uri) and current.proof.page.codes:  # else it cannot be read
        return labs.publish(html, page.file, files, book, config.site_url or "")
    return html


def on_post_page(output: str, **_: Any) -> str:
    # Material leaves its search dialog nameless.
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)


def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    site = Path(config.site_dir)
    assets.finish(site)
    provenance.write(proved.all(), site)
    if wrong := list(links.faults(site, config.site_url or "")):
        if not preview:
            raise PluginError("\n".join(wrong))
        LOG.error("\n".join(wrong))


def _refuse_faults() -> None:
    """All faults together, when a build has come upon the first."""
    if proved.faults and not preview:
        raise PluginError(f"The book is not true:\n{proved.faults}")
