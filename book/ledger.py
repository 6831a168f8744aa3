"""The ledger: every receipt of a page, as a table that works without a script and on paper."""

from __future__ import annotations

from html import escape

from book.mathml import typeset
from book.provenance import commit, device, versions
from proofread.derivations import sides
from proofread.proof import Proof
from proofread.reading.claims import Claim
from proofread.running.outcome import Answer
from proofread.values import Value

HEAD = "".join(
    f"<th>{name}</th>" for name in ("#", "page says", "expression", "code says", "type", "from")
)


def ledger(proof: Proof, up: str, repository: str) -> str:
    """One row a claim; the row's id is what the receipt on the page links to.

    `up` leads to the site's root, `repository` to where a number can be reported.
    """
    rows = [_row(proof, number, claim) for number, claim in enumerate(proof.page.claims)]
    if not rows:
        return ""
    numbers = f"{count(proof)} checked numbers" if count(proof) > 1 else "The checked number"
    return (
        '<details class="ledger" id="ledger" data-search-exclude>'
        f"<summary>{numbers} in {len(rows)} claims, and what proves them</summary>"
        f'<table class="plain"><thead><tr>{HEAD}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>{_provenance(proof, up, repository)}</details>"
    )


def count(proof: Proof) -> int:
    """How many printed values of the page are checked."""
    return sum(len(claim.numerals) or 1 for claim in proof.page.claims)


def _provenance(proof: Proof, up: str, repository: str) -> str:
    """What all the numbers of the page have in common, and what to do with them."""
    used = ", ".join(f"{name} {version}" for name, version in versions(proof).items())
    at = commit()
    made = f"{escape(used)}, on the CPU unless a row says otherwise"
    made += f" · commit {escape(at)}" if at else ""
    report = f"{repository}/issues/new"
    return (
        f'<p class="provenance" data-report="{escape(report)}"><span>{made}</span> '
        f'<a href="{up}claims.json">all claims as data</a> '
        f'<a href="{escape(report)}">report a number</a></p>'
    )


def _row(proof: Proof, number: int, claim: Claim) -> str:
    n, answer = number + 1, proof.outcome.answers.get(number, Answer())
    expression, value, dtype = "cited", claim.locator, ""
    origin = f'<a href="#fn:{claim.key}">{escape(claim.key)}</a>'
    if claim.kind == "computed":
        source = claim.source.removeprefix("=").strip()
        expression = f"<code>{escape(source)}</code>" if source else "its own sides"
        value, dtype = _value(claim, answer), _dtype(answer)
        origin = _origin(proof, answer)
    return (
        f'<tr id="n{n}"><td><a href="#c{n}">{n}</a></td><td>{_printed(claim)}</td>'
        f"<td>{expression}</td><td><samp>{escape(value)}</samp></td><td>{escape(dtype)}</td>"
        f"<td>{origin}</td></tr>"
    )


def _printed(claim: Claim) -> str:
    """What the page says, as HTML short enough for a cell."""
    if claim.scope == "text":
        return escape(claim.text) if len(claim.text) < 30 else "the text above it"
    if claim.scope == "math" and claim.piece and len(claim.piece.text) < 60:
        return f'<span class="math">{typeset(claim.piece.text)}</span>'
    numbers = [n.literal.text + n.literal.unit for n in claim.numerals]
    return escape(", ".join(numbers)) if len(numbers) <= 4 else f"{len(numbers)} numbers"


def _value(claim: Claim, answer: Answer) -> str:
    """What the code says, at full precision, the rows of a matrix each on a line."""
    values = [_text(value) for value in answer.values or answer.operands]
    if answer.text:
        return answer.text
    if not values:
        return _sides(claim, answer)
    if answer.shape and len(answer.shape) == 2 and answer.shape[1]:
        width = answer.shape[1]
        rows = [values[i : i + width] for i in range(0, len(values), width)]
        return "\n".join(f"[{', '.join(row)}]" for row in rows)
    return values[0] if len(values) == 1 else f"[{', '.join(values)}]"


def _sides(claim: Claim, answer: Answer) -> str:
    """For a formula that is checked against itself: what each of its sides comes to."""
    formula = claim.piece.formula if claim.piece else None
    chains = sides(formula, answer.bindings) if formula else ()
    return "\n".join(" | ".join(dict.fromkeys(chain)) for chain in chains).replace("-", "−")


def _text(value: Value) -> str:
    if "int" in value.dtype or value.dtype == "bool":
        return str(int(value.number))
    return f"{float(value.number):.17g}".replace("inf", "∞").replace("-", "−")


def _dtype(answer: Answer) -> str:
    values = answer.values or answer.operands
    if not values:
        return ""
    shape = " " + " × ".join(map(str, answer.shape)) if answer.shape else ""
    return values[0].dtype + shape


def _origin(proof: Proof, answer: Answer) -> str:
    """A link to the block that made the value."""
    if answer.block < 0:
        return "this line"
    code = proof.page.blocks_run[answer.block]
    name = code.path.rpartition("/")[2] if code.included else "a block"
    link = f'<a href="#block-{answer.block + 1}">{escape(name)}</a>'
    where = device(proof, answer.block)
    return link if where == "CPU" else f'{link} <span class="where">{escape(where)}</span>'
