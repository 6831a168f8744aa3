"""proofread check|list|fix [PAGES]: keeps the numbers in a book true.

Exit status: 0 nothing to say, 1 something is wrong with a page, 2 the call itself is wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from proofread.page import kind
from proofread.proof import Proof, prove, prove_all
from proofread.settings import Settings, SettingsError, load

Pages = Annotated[list[Path] | None, typer.Argument(help="Markdown files; all pages if none.")]
Root = Annotated[Path, typer.Option(help="The folder that holds pyproject.toml.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line, for programs.")]

app = typer.Typer(
    help=__doc__, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


def main() -> None:
    app()


@app.command()
def check(pages: Pages = None, *, root: Root = Path()) -> None:
    """Run each page and compare every number it prints with what its code says."""
    proofs = prove_all(*_asked(pages, root))
    for proof in proofs:
        if proof.findings:
            typer.echo(proof.report_all)
    for proof in proofs:
        typer.echo(_summary(proof), err=True)
    raise typer.Exit(any(proof.findings for proof in proofs))


@app.command("list")
def list_(pages: Pages = None, *, root: Root = Path(), as_json: Json = False) -> None:
    """List every number of a page: where it stands, its kind, and what proves it."""
    for proof in prove_all(*_asked(pages, root)):
        for row in rows(proof):
            if as_json:
                typer.echo(json.dumps(row, ensure_ascii=False))
                continue
            where = f"{row['file']}:{row['line']}:{row['column']}"
            why = row["expression"] or row.get("rule", "")
            typer.echo(f"{where:40} {row['literal']:>16}  {row['kind']:10}  {why}")


@app.command()
def fix(pages: Pages = None, *, root: Root = Path()) -> None:
    """Rewrite stale numbers in place, and fill in those that are written as `?`."""
    paths, settings = _asked(pages, root)
    left = 0
    for path in paths:
        proof = prove(path, settings)
        rest = _rewrite(proof, path)
        left += len(rest)
        for finding in rest:
            typer.echo(proof.report(finding))
    raise typer.Exit(bool(left))


def rows(proof: Proof) -> list[dict[str, Any]]:
    """One row for each number of a page, as `list --json` prints them."""
    page, found = proof.page, []
    numbers = {id(claim): number for number, claim in enumerate(page.claims)}
    for numeral in page.numerals:
        claim = numeral.claim
        row: dict[str, Any] = {
            "file": page.path,
            "line": page.line(numeral.start),
            "column": page.column(numeral.start),
            "literal": " ".join(page.source[numeral.start : numeral.end].split()),
            "kind": kind(numeral),
            "expression": claim.source if claim else None,
            "value": None,
        }
        if claim and claim.kind == "computed":
            answer = proof.outcome.answers.get(numbers[id(claim)])
            if answer and len(answer.values) == len(claim.numerals):
                row["value"] = str(answer.values[claim.numerals.index(numeral)])
            elif answer and answer.values:
                row["value"] = [str(value) for value in answer.values]
        if numeral.rule and not claim:
            row["rule"] = numeral.rule
        found.append(row)
    return found


def _asked(pages: list[Path] | None, root: Path) -> tuple[list[Path], Settings]:
    try:
        settings = load(root)
    except SettingsError as error:
        raise typer.BadParameter(str(error)) from None
    for path in pages or ():
        if not path.is_file():
            raise typer.BadParameter(f"{path} is not a file")
    return pages or settings.files(), settings


def _rewrite(proof: Proof, path: Path) -> list[Any]:
    """Apply every edit to the file; return the findings that are left for a person."""
    source, page = proof.page.source, proof.page
    edits = {finding.edit for finding in proof.findings if finding.edit}
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        old = source[edit.start : edit.end]
        typer.echo(f"{page.path}:{page.line(edit.start)}: {old} -> {edit.text}")
        source = source[: edit.start] + edit.text + source[edit.end :]
    if edits:
        path.write_text(source, encoding="utf-8")
    return [finding for finding in proof.findings if not finding.edit]


def _summary(proof: Proof) -> str:
    kinds = Counter(kind(numeral) for numeral in proof.page.numerals)
    parts = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
    return f"{proof.page.path}: {parts or 'no numbers'}"
