"""A page is a program: its executed fences and its claims, in order, in one fresh namespace."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

FENCE = re.compile(
    r"^(?P<in>[ ]*)(?P<f>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=in)(?P=f)[ ]*$", re.M | re.S
)
INCLUDE = re.compile(r'^\s*--8<--\s+"(?P<path>[^":]+)(?::(?P<section>[\w-]+))?"\s*$')
COMMENT = re.compile(r"<!--\s*=\s*(?P<expr>.*?)\s*-->", re.S)
NUMBER = re.compile(r"−∞|[+\-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?")


@dataclass
class Block:
    """One executed fence."""

    id: str
    code: str
    file: str
    line: int
    out: str = ""
    device: str = "CPU"


@dataclass
class Claim:
    """One checked literal: a number, a list, a formula, a matrix or a chain of equalities."""

    id: str
    start: int
    end: int
    expr: str
    literal: str
    block: Block | None
    value: object = None
    count: int = 0
    shape: str = ""
    dtype: str = ""


@dataclass
class Program:
    """What a page runs, what it printed and what it proved."""

    path: Path
    text: str
    blocks: list[Block] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(claim.count for claim in self.claims)


class ClaimError(Exception):
    """A page says one number and the code says another."""


def run(path: Path, text: str, snippets: Path, label: str) -> Program:
    """Run the page and check every claim; raise ClaimError at the first that is wrong."""
    page = Program(path, text)
    fences = list(FENCE.finditer(text))
    events = [(m.start(), "fence", m) for m in fences if 'exec="on"' in m["info"]]
    events += [(m.start(), "claim", m) for m in comments(text, fences)]
    above = path.read_text().partition(text.lstrip("\n")[:40])[0].count("\n")  # front matter
    namespace: dict = {"__name__": "__main__"}
    makers: dict[str, Block] = {}  # the block that last set each name
    for start, kind, match in sorted(events, key=lambda e: e[0]):
        line = above + text.count("\n", 0, start) + 1
        if kind == "fence":
            before = dict(namespace)
            block = execute(match, namespace, snippets, f"{label}:{line}", len(page.blocks) + 1)
            makers |= {
                name: block for name, value in namespace.items() if value is not before.get(name)
            }
            page.blocks.append(block)
            continue
        names = compile(match["expr"] or "0", label, "eval").co_names
        source = max(
            (makers[name] for name in names if name in makers), key=page.blocks.index, default=None
        )
        literal = literal_before(text, match.start())
        claim = Claim(
            f"n{len(page.claims) + 1}", match.start(), match.end(), match["expr"], literal, source
        )
        check(claim, namespace, f"{label}:{line}")
        page.claims.append(claim)
    return page


def comments(text: str, fences: list[re.Match]) -> list[re.Match]:
    """Claim comments outside fences and inline code."""
    spans = [m.span() for m in fences]
    spans += [
        m.span()
        for m in re.finditer(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", text)
        if m[0].startswith("`") and "<!--" in m[0]
    ]
    return [m for m in COMMENT.finditer(text) if not any(a <= m.start() < b for a, b in spans)]


def execute(match: re.Match, namespace: dict, snippets: Path, label: str, number: int) -> Block:
    """Run one fence and capture what it prints."""
    body = "\n".join(line[len(match["in"]) :] for line in match["body"].splitlines())
    file, first = label, 1
    if include := INCLUDE.match(body):
        file = include["path"]
        body, first = section((snippets / file).read_text(), include["section"])
    block = Block(f"block-{number}", body, file, first)
    if "triton" in body:
        block.device = "CPU, Triton interpreter"
    out = io.StringIO()
    source = snippets / file if include else label
    if include and "@triton.jit" in body:  # triton reads a kernel's source through its file
        namespace["__file__"] = str(source)
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * (first - 1) + body, str(source), "exec", dont_inherit=True), namespace)
    block.out = out.getvalue()
    return block


def section(text: str, name: str | None) -> tuple[str, int]:
    """The lines of a snippet between its `[start:name]` and `[end:name]` marks."""
    if name:
        start = text.index("\n", text.index(f"[start:{name}]")) + 1
        end = text.rindex("\n", 0, text.index(f"[end:{name}]"))
        return text[start:end].rstrip(), text.count("\n", 0, start) + 1
    return text.rstrip(), 1


def literal_before(text: str, end: int) -> str:
    """The thing a claim proves: what stands right before it."""
    before = text[:end]
    if before.rstrip(" ").endswith(
        "\n"
    ):  # on a line of its own: the display formula or table above
        above = before.rstrip()
        return (
            above[above.rindex("$$", 0, -2) :]
            if above.endswith("$$")
            else above[above.rfind("\n\n") + 2 :]
        )
    if before.endswith("$"):
        return before[before.rindex("$", 0, -1) :]
    tail = re.search(
        r"(\[[^\]\n]*\]|[+\-−]?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s?[%×])?[*`]*$", before
    )
    if not tail:
        raise ClaimError(f"nothing to check before {before[-30:]!r}")
    return tail[0]


def check(claim: Claim, namespace: dict, where: str) -> None:
    """Compare each printed number with the code's, rounded to the digits the page shows."""
    if not claim.expr:
        check_chain(claim, where)
        return
    value = eval(compile(claim.expr, where, "eval"), namespace)
    got = flatten(value)
    said = printed(claim.literal)
    if claim.literal.startswith("$") and len(said) > len(got) == 1:
        said = said[-1:]
    scale = 100 if claim.literal.rstrip("*`").endswith("%") else 1
    if len(said) != len(got):
        raise ClaimError(
            f"{where}: page shows {len(said)} numbers, code gives {len(got)} ({claim.expr})"
        )
    for literal, number in zip(said, got):
        if literal == "−∞" and number == float("-inf"):
            continue
        if Decimal(literal.replace(",", "").replace("−", "-")) != rounded(number * scale, literal):
            raise ClaimError(
                f"{where}: page says {literal}, code says {rounded(number * scale, literal)} ({claim.expr} = {number:.6f}…)"
            )
    claim.value, claim.count = value, len(said)
    claim.shape = "×".join(map(str, shape(value)))
    dtype = getattr(value, "dtype", None)
    claim.dtype = (
        str(dtype).replace("torch.", "")
        if dtype is not None
        else {float: "Python float", int: "Python int"}.get(type(got[0]), "list")
    )


def printed(literal: str) -> list[str]:
    """The numbers in a literal; in a table or a formula, those that are not names or indices."""
    if literal.startswith("|"):
        literal = re.sub(r"\$[^$]*\$", " ", literal.partition("-|\n")[2])
    elif "matrix}" in literal:
        literal = " ".join(re.findall(r"\\begin\{\w*matrix\}(.*?)\\end", literal, re.S))
    elif literal.startswith("$"):
        literal = re.sub(r"\\\w+|[_^](?:\{[^}]*\}|\w)", " ", literal)
    return NUMBER.findall(literal)


def check_chain(claim: Claim, where: str) -> None:
    """An equality chain that stands alone: its sides must agree at the digits they show."""
    sides = (
        claim.literal.strip("$")
        .replace(r"\cdot", "*")
        .replace(r"\times", "*")
        .replace("−", "-")
        .split("=")
    )
    sides = [side for side in map(str.strip, sides) if re.fullmatch(r"[\d.+\-*/() ]+", side)]
    for left, right in zip(sides, sides[1:]):
        value = eval(left)
        if Decimal(right) != rounded(value, right):
            raise ClaimError(f"{where}: {left} is {value}, not {right}")
    claim.value, claim.dtype = " = ".join(sides).replace("*", "·"), "arithmetic"
    claim.count = len(sides) and 1


def flatten(value) -> list:
    if hasattr(value, "tolist"):
        value = value.tolist()
    return (
        [x for item in value for x in flatten(item)] if isinstance(value, list | tuple) else [value]
    )


def shape(value) -> tuple:
    if hasattr(value, "shape"):
        return tuple(value.shape)
    return (len(value), *shape(value[0])) if isinstance(value, list) else ()


def rounded(number, like: str) -> Decimal:
    places = len(like.partition("e")[0].partition(".")[2])
    exact = Decimal(number) if isinstance(number, int) else Decimal(repr(float(number)))
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)


current: Program | None = None  # the page being rendered
meta: dict = {}
