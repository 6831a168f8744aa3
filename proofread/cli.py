"""Keeps a book true: runs each page, and compares the numbers it prints with what its code says.

A number says what proves it in a comment that touches it: 0.2483<!-- = w[0] -->, or
64<!-- @ vaswani2017, section 3.2.2 -->. Begin with `proofread check`; let `proofread fix` fill in
what you write as ?<!-- = name -->; ask `proofread explain FILE:LINE` why a number is right.

Exit status: 0 all is well · 1 something is wrong with a page · 2 the call itself is wrong.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from proofread import explain as explaining
from proofread import report, scaffold, verdicts
from proofread.filling import ScaffoldError
from proofread.page import kind
from proofread.proof import Proof, open_store, prove_all
from proofread.reading import notebooks
from proofread.running.progress import Progress
from proofread.running.store import Store
from proofread.settings import Settings, SettingsError, load

Pages = Annotated[list[Path] | None, typer.Argument(help="Pages and notebooks; all if none.")]
Root = Annotated[Path, typer.Option(help="The folder that holds pyproject.toml.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line, for programs.")]
NoStore = Annotated[bool, typer.Option("--no-store", help="Run every block; remember nothing.")]

app = typer.Typer(
    help=__doc__,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    app()


@app.command()
def check(
    pages: Pages = None,
    *,
    root: Root = Path(),
    everything: Annotated[
        bool, typer.Option("--all", help="Also pages that were clean and have not changed since.")
    ] = False,
    as_json: Json = False,
    no_store: NoStore = False,
) -> None:
    """Compare every number of a page with what its code says, or its source is quoted to say.

    Without arguments: the pages that changed, or whose code, data or packages changed, since they
    were last found clean.
    """
    paths, settings = _asked(pages, root, no_store)
    store = open_store(settings)
    book = verdicts.judged_by(settings)
    asked = bool(pages) or everything
    known = set() if asked else verdicts.standing(paths, settings, store, book)
    proofs = _proved([path for path in paths if path not in known], settings, store)
    verdicts.keep(proofs, store, book)
    for proof in sorted(proofs, key=lambda proof: bool(proof.findings)):  # what is wrong comes last
        _tell([proof], as_json)
        _note(_summary(proof))
    if known:
        _note(f"{len(known)} of {len(paths)} pages unchanged since they were found clean")
    raise typer.Exit(any(proof.findings for proof in proofs))


@app.command("list")
def list_(pages: Pages = None, *, root: Root = Path(), as_json: Json = False) -> None:
    """List every number of a page: where it stands, its kind, and what proves it."""
    for proof in _proved(*_asked(pages, root)):
        for row in report.rows(proof):
            _echo(json.dumps(row, ensure_ascii=False) if as_json else report.row_text(row))


@app.command()
def fix(
    pages: Pages = None,
    *,
    root: Root = Path(),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the diff, write nothing.")
    ] = False,
) -> None:
    """Rewrite stale numbers in place, fill in those written as `?`, and show the diff.

    Cited numbers are never touched. What a person has to decide is listed.
    """
    paths, settings = _asked(pages, root)
    left = 0
    for path, proof in zip(paths, _proved(paths, settings), strict=True):
        old, new = proof.page.source, report.mended(proof)
        name = proof.page.path
        rows = difflib.unified_diff(
            old.splitlines(keepends=True), new.splitlines(keepends=True), name, name, n=0
        )
        _echo("".join(report.diff_line(row) for row in rows), end="")
        if new != old and not dry_run:
            ends = "\r\n" if b"\r\n" in path.read_bytes() else "\n"
            path.write_text(notebooks.written(new, path), encoding="utf-8", newline=ends)
        rest = [finding for finding in proof.findings if not finding.edit]
        left += len(rest)
        for finding in rest:
            _echo(report.text(proof, finding))
    raise typer.Exit(bool(left))


@app.command()
def run(
    page: Annotated[Path | None, typer.Argument(help="A page or a notebook.")] = None,
    *,
    root: Root = Path(),
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Run share I of N of all pages, into the store.")
    ] = "",
) -> None:
    """Run a page afresh, and show what each block prints and what each claim comes to.

    With --shard, run a share of all pages instead. Several machines can fill one store so, and a
    build that has it runs nothing.
    """
    if (page is None) == (not shard):
        raise typer.BadParameter("name a page, or a share of all pages: --shard 1/4")
    if shard:
        return _run_share(shard, root)
    paths, settings = _asked([page] if page else None, root)
    proof = _proved(paths, settings, fresh=True)[0]
    for text in report.story(proof):
        _echo(text)
    _tell([proof])
    raise typer.Exit(bool(proof.findings))


@app.command()
def explain(
    place: Annotated[str, typer.Argument(metavar="FILE:LINE", help="docs/chapters/07-….md:42")],
    *,
    root: Root = Path(),
) -> None:
    """Tell for each number on a line what proves it, and how."""
    file, _, line = place.partition(":")
    line = line.partition(":")[0]
    if not line.isdecimal():
        raise typer.BadParameter(f"{place} is not FILE:LINE")
    proof = _proved(*_asked([Path(file)], root))[0]
    told = list(explaining.line(proof, int(line)))
    if not told:
        raise typer.BadParameter(f"no number on line {line} of {file}")
    _echo("\n\n".join(told))


@app.command()
def new(
    kind: Annotated[str, typer.Argument(help="The name of a template.")],
    name: Annotated[
        str, typer.Argument(help="As rope, 09-rope for a chapter, or ch09/rope for a part of one.")
    ],
    *,
    root: Root = Path(),
    title: Annotated[str, typer.Option(help="A new chapter's title.")] = "",
    says: Annotated[str, typer.Option(help="What it is about, for the contents.")] = "",
) -> None:
    """Make a new chapter, or whatever else the project has a template for.

    Lines that belong into other files are put there, and nothing that exists is overwritten.
    """
    try:
        made = scaffold.plan(kind, name, _settings(root), title, says)
        scaffold.write(made)
    except ScaffoldError as error:
        raise typer.BadParameter(str(error)) from None
    _echo(made.told())
    if made.notes:
        _echo(f"\n{made.notes.rstrip()}")


def _run_share(shard: str, root: Path) -> None:
    number, _, count = shard.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise typer.BadParameter(f"--shard {shard} is no share: the second of four is 2/4")
    paths, settings = _asked(None, root)
    store = open_store(settings)
    proofs = _proved(paths[int(number) - 1 :: int(count)], settings, store)
    _tell(proofs)
    for proof in proofs:
        _note(_summary(proof))
    raise typer.Exit(any(proof.findings for proof in proofs))


def _asked(
    pages: list[Path] | None, root: Path, no_store: bool = False
) -> tuple[list[Path], Settings]:
    if no_store:
        os.environ["PROOFREAD_STORE"] = "off"
    settings = _settings(root)
    for path in pages or ():
        if not path.is_file():
            raise typer.BadParameter(f"{path} is not a file")
    return pages or settings.files(), settings


def _settings(root: Path) -> Settings:
    try:
        return load(root)
    except SettingsError as error:
        raise typer.BadParameter(str(error)) from None


def _proved(
    paths: list[Path], settings: Settings, store: Store | None = None, *, fresh: bool = False
) -> list[Proof]:
    store = store or open_store(settings)
    proofs = prove_all(paths, settings, store, Progress(sys.stderr), fresh=fresh)
    if store.trouble:
        _note(store.trouble)
    return proofs


def _tell(proofs: list[Proof], as_json: bool = False) -> None:
    """Every mark of these pages, a line or an object each."""
    for proof in proofs:
        for finding in proof.findings:
            _echo(report.as_json(proof, finding) if as_json else report.text(proof, finding))


def _echo(text: str, end: str = "\n") -> None:
    """To stdout, coloured where it is a terminal that wants colours."""
    typer.echo(text, nl=end == "\n", color=False if "NO_COLOR" in os.environ else None)


def _note(text: str) -> None:
    typer.echo(text, err=True)


def _summary(proof: Proof) -> str:
    kinds = Counter(kind(numeral) for numeral in proof.page.numerals)
    parts = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
    ran = f"; {proof.ran} blocks ran" if proof.ran else ""
    faults = f"; {len(proof.findings)} to mend" if proof.findings else ""
    return f"{proof.page.path}: {parts or 'no numbers'}{ran}{faults}"
