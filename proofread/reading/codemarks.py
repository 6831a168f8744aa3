"""Numbers in code marks: which are values that a reader takes home, and which are only code.

`0.2483`, `[1, 0]` and `H = 8` print values. In other code a number is structural if it is part of
a name (`fp16`), a subscript (`q[:64]`), or 0, 1, 2 or -1 beside other symbols (`dim=-1`); so are
all numbers of a file's name, of a command, of a version, and of a mark that quotes the page's own
code word by word: there the code is what the reader checks it against.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from proofread.reading.literals import read
from proofread.reading.prose import NUMBER, from_match
from proofread.reading.spans import Numeral

VALUES = re.compile(r"[\s\d.,()\[\]+−\-×%eE_∞?]*")
ASSIGNMENT = re.compile(r"[\w.]+ =+ (?P<value>[\s\d.,()\[\]+−\-eE_]+)")
COMMAND = re.compile(r"(?:\$ )?(?:python3?|pip|make|git|cd|proofread|pytest)\s")
FILE = re.compile(r"[\w./*~-]+\.(?:py|md|out|toml|json|lock|css|js|svg|html|yml)(?::[\w:]+)?")
INCLUDE = re.compile(r"(?:# )?--8<--.*")
VERSION = re.compile(r"[\w-]*\s?(?:[<>=~!]=?)?\d+\.\d+\.\d+")
SIGN = r"(?<![\w)\]\"'] )(?<![\w)\]\"'])[-−]"
NUMERIC = re.compile(
    rf"(?<![\w.])(?:{SIGN})?(?!\d+\.\d+\.\d)\d[\d_]*(?:\.\d+)?(?:e-?\d{{1,3}}(?!\d))?"
)
SMALL = {"0", "1", "2", "-1", "−1"}
TOKEN = re.compile(r"\w+|[^\w\s]")
BETWEEN = "\x1f"  # tokens; no page holds it


def quotable(codes: Iterable[str]) -> str:
    """The code of a page, as `numerals` looks for quotations in it."""
    return BETWEEN.join(BETWEEN.join(["", *TOKEN.findall(code), ""]) for code in codes)


def numerals(inside: str, offset: int, code: str) -> tuple[list[Numeral], list[Numeral]]:
    """All numbers of a code mark, and those of them that a list of values would name."""
    assigned = ASSIGNMENT.fullmatch(inside.strip())
    if assigned and not _quotes(inside, code):
        offset += inside.index(assigned["value"])
        inside = assigned["value"]
    text = inside.strip()
    free = any(form.fullmatch(text) for form in (FILE, INCLUDE, VERSION)) or COMMAND.match(text)
    if not free and (VALUES.fullmatch(inside) or NUMBER.fullmatch(inside)):
        values = [from_match(m, offset, "code") for m in NUMBER.finditer(inside)]
        return values, values
    rule = "code" if free else "quotation" if _quotes(inside, code) else ""
    values, rest = [], list(inside)
    for m in NUMERIC.finditer(inside):
        if not _subscript(inside, m.start()):
            at = (offset + m.start(), offset + m.end())
            small = m[0] in SMALL and not inside[m.end() : m.end() + 1].isalpha()
            why = rule or ("code" if small else "")
            values.append(Numeral(*at, read(m[0].replace("_", "")), "code", at, why))
            rest[m.start() : m.end()] = " " * len(m[0])
    names = [
        Numeral(offset + m.start(), offset + m.end(), read(m[0]), "code",
                (offset + m.start(), offset + m.end()), "code")
        for m in re.finditer(r"\d+", "".join(rest))
    ]  # fmt: skip
    return sorted(values + names, key=lambda n: n.start), values


def is_text(expression: str) -> bool:
    """True for an expression that spells a text: f"window={w}", str(dtype), "x" + y."""
    listed = ast.parse(f"[{expression}]", mode="eval").body
    assert isinstance(listed, ast.List)
    if len(listed.elts) != 1:
        return False
    node = listed.elts[0]
    while isinstance(node, ast.BinOp):
        node = node.left
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("str", "repr", "format")
    constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return constant or isinstance(node, ast.JoinedStr)


def _quotes(inside: str, code: str) -> bool:
    """True if these tokens, in this order, are a part of the page's code."""
    tokens = TOKEN.findall(inside)
    return len(tokens) > 1 and BETWEEN + BETWEEN.join(tokens) + BETWEEN in code


def _subscript(text: str, at: int) -> bool:
    """True inside brackets that follow a name: q[..., :64], but not [64]."""
    depth = 0
    for i in range(at - 1, -1, -1):
        depth += (text[i] in ")]") - (text[i] in "([")
        if depth < 0 and text[i] == "[":
            return i > 0 and (text[i - 1].isalnum() or text[i - 1] in "_)]")
        depth = max(depth, 0)
    return False
