"""Joins the book to MkDocs: proves all pages before the first is rendered, then renders them."""

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

from book import assets, contents, exhibit, ledger, links, receipts, rendering
from book.rendering import ROOT, Rendering
from proofread.proof import Proof, prove_all
from proofread.settings import load

LOG = logging.getLogger("mkdocs.plugins.book")
WORDS_A_MINUTE = 180

preview = False  # a preview shows a page with its faults; a build refuses to publish it
proofs: dict[str, Proof] = {}
book = contents.Contents(())


def on_startup(command: str, **_: Any) -> None:
    global preview
    preview = command == "serve"


def on_config(config: MkDocsConfig, **_: Any) -> MkDocsConfig:
    markdown_exec.formatters["python"] = markdown_exec.formatters["py"] = exhibit.render
    return config


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Run and judge every page; without a clean verdict nothing is published."""
    global book
    book = contents.load(Path(config.docs_dir))
    paths = [Path(str(file.abs_src_path)) for file in files.documentation_pages()]
    proved = prove_all(paths, load(ROOT))
    proofs.clear()
    proofs.update({proof.page.path: proof for proof in proved})
    faulty = [proof for proof in proved if proof.findings]
    if faulty and not preview:
        raise PluginError("\n".join(proof.report_all for proof in faulty))
    for proof in faulty:
        LOG.error(proof.report_all)
    return files


def on_env(env: Environment, files: Files, **_: Any) -> Environment:
    """Tell the templates of the book's contents, and put a chapter's number before its title."""
    env.globals["book"] = book
    for file in files.documentation_pages():
        chapter = book.chapter(file.src_uri)
        if chapter and file.page:
            file.page.meta["chapter"] = chapter
            file.page.meta["description"] = chapter.says
            file.page.title = f"{chapter.number}\u2002{chapter.title}"
    return env


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    proof = proofs[f"docs/{page.file.src_uri}"]
    rendering.current = Rendering(proof, book, "../" * page.url.count("/"))
    words = len(
        re.sub(
            r"```.*?```|<!--.*?-->|\$\$.*?\$\$|\$[^$]+\$|(?m:^\|.*$)", "", markdown, flags=re.S
        ).split()
    )
    page.meta.update(
        {
            "minutes": max(1, round(words / WORDS_A_MINUTE)),
            "numbers": ledger.count(proof),
            "built": date.today().isoformat(),
            "device": " · ".join(dict.fromkeys(["CPU", *filter(None, proof.outcome.devices)])),
            "faults": [proof.report(finding) for finding in proof.findings],
        }
    )
    if proof.outcome.failure:  # in a preview: there are no outputs to show
        proof.outcome.outputs += [""] * len(proof.page.blocks_run)
        proof.outcome.devices += [""] * len(proof.page.blocks_run)
    front = re.match(r"---\n.*?\n---\n", proof.page.source, re.S)
    marked = receipts.mark(proof)
    return marked[front.end() if front else 0 :]


def on_page_content(html: str, page: Page, **_: Any) -> str:
    current = rendering.current
    assert current is not None
    missing = set(range(len(current.proof.page.blocks_run))) - current.shown
    if missing and not preview:
        lines = ", ".join(str(current.proof.page.blocks_run[n].line) for n in sorted(missing))
        raise PluginError(f"{current.proof.page.path}:{lines}: ran, but is not on the page")
    page.meta["ledger"] = ledger.ledger(current.proof)
    rendering.current = None
    return html


def on_post_page(output: str, **_: Any) -> str:
    # Material leaves its search dialog nameless.
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)


def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    site = Path(config.site_dir)
    assets.finish(site)
    if wrong := list(links.faults(site, config.site_url or "")):
        if not preview:
            raise PluginError("\n".join(wrong))
        LOG.error("\n".join(wrong))
