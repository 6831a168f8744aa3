"""Where the numbers of a build come from: commit, versions, device, and every claim as data."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from book.rendering import ROOT
from proofread.proof import Proof
from proofread.reading.claims import Claim
from proofread.running.outcome import Answer
from proofread.values import Value


@cache
def commit() -> str:
    """The commit that was built, `+` if files have changed since; empty without git."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    except OSError:
        return ""
    return done.stdout.strip()


def versions(proof: Proof) -> dict[str, str]:
    """Python and the packages that a page's program used."""
    found: dict[str, str] = {}
    for entry in proof.entries:
        found |= {"Python": entry.python.rpartition(" ")[2]} | entry.packages
    return found


def device(proof: Proof, block: int) -> str:
    """Where a block did its work."""
    runs = proof.outcome.runs
    return (runs[block].device if 0 <= block < len(runs) else "") or "CPU"


def devices(proof: Proof) -> str:
    return " · ".join(dict.fromkeys(["CPU", *filter(None, proof.outcome.devices)]))


def write(proofs: Iterable[Proof], site: Path) -> None:
    """claims.json: what the book claims, for programs; a claim is a line."""
    pages = []
    for proof in sorted(proofs, key=lambda proof: proof.page.path):
        if claims := proof.page.claims:
            used = json.dumps(versions(proof), ensure_ascii=False)
            lines = ",\n".join(
                json.dumps(_claim(proof, n, claim), ensure_ascii=False)
                for n, claim in enumerate(claims)
            )
            pages.append(f'"{proof.page.path}": {{"versions": {used}, "claims": [\n{lines}]}}')
    text = f'{{"commit": "{commit()}", "pages": {{\n' + ",\n".join(pages) + "}}\n"
    (site / "claims.json").write_text(text, encoding="utf-8")


def _claim(proof: Proof, number: int, claim: Claim) -> dict[str, Any]:
    page, answer = proof.page, proof.outcome.answers.get(number, Answer())
    told: dict[str, Any] = {
        "id": number + 1,
        "line": page.line(claim.start),
        "kind": claim.kind,
        "says": [n.literal.text + n.literal.unit for n in claim.numerals] or claim.text,
        "claim": claim.source,
    }
    if claim.kind == "cited":
        return told
    values = answer.values or answer.operands
    code = page.blocks_run[answer.block] if answer.block >= 0 else None
    return told | {
        "value": [_exact(value) for value in values] or answer.text,
        "dtype": values[0].dtype if values else "",
        "block": answer.block + 1,
        "source": code.path if code else "",
        "device": device(proof, answer.block),
    }


def _exact(value: Value) -> Any:
    """A whole number as such, anything else as the shortest text that gives it back."""
    if "int" in value.dtype or value.dtype == "bool":
        return int(value.number)
    return repr(float(value.number))
