"""A number in a docstring is a digit of a definition, of its source, or of the code below it.

What a definition says (0 or more, 2m + 1, −∞) the tests of the code hold it to. A larger number
has to stand in that code, or in its tests, so that it cannot be out of date.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from book import api, bibliography
from book.docstrings import parse
from proofread import page as pages
from proofread.settings import load

SETTINGS = load(api.ROOT)
SMALL = re.compile(r"[-−]?(?:\d(?:/\d)?|∞|zero|one|two|three|four|five|six|seven|eight|nine)")
YEAR = re.compile(r"(?<!:)\b(?:19|20)\d\d\b")
DATED = re.compile(r"\b(?P<year>(?:19|20)\d\d)\b[^;]*?arXiv:(?P<number>(?P<yy>\d\d)\d\d\.\d{4,5})")
TEXTS = {  # what shows on the page, by where it stands
    path: (one, Path(str(one.filepath)))
    for entry in api.entries()
    for path, one in [
        (entry.path, entry.thing),
        *((f"{entry.path}.{member.name}", member) for member in entry.members),
        (entry.file, entry.thing.module),
    ]
}


def unproven(text: str, file: Path) -> list[str]:
    """The numbers of a text that nothing explains."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    page = pages.parse(f"{plain}\n", "elsewhere.md", SETTINGS)
    found = [page.source[n.start : n.end] for n in page.unlabelled]
    return [one for one in found if not SMALL.fullmatch(one) and number(one) not in written(file)]


def number(text: str) -> float | str:
    try:
        return float(text.replace(",", "").replace("−", "-"))
    except ValueError:
        return text


@cache
def written(file: Path) -> set[float]:
    """The numbers in a file's code and in the tests of its package."""
    package = api.ROOT / file.relative_to(api.ROOT).parts[0]
    tests = [*(api.ROOT / "tests" / package.name).glob("*.py"), *package.glob("check/*.py")]
    nodes = (node for one in [file, *tests] for node in ast.walk(ast.parse(one.read_text("utf-8"))))
    values = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {float(value) for value in values if isinstance(value, int | float)}


@pytest.mark.parametrize("path", TEXTS)
def test_a_docstring_has_no_number_out_of_nowhere(path: str) -> None:
    thing, file = TEXTS[path]
    doc = parse(api.says(thing))
    for part in (doc.summary, *doc.body, doc.raises, YEAR.sub("", doc.source)):
        assert not unproven(part, file), part


@pytest.mark.parametrize("path", TEXTS)
def test_a_source_has_the_year_of_its_paper(path: str) -> None:
    """An arXiv number begins with the year and month in which the paper came."""
    known = {entry.get("arxiv"): entry for entry in bibliography.entries().values()}
    source = " ".join(parse(api.says(TEXTS[path][0])).source.split())
    papers = list(DATED.finditer(source))
    assert len(papers) == source.count("arXiv:"), f"a paper without its year: {source}"
    for paper in papers:
        assert paper["year"][2:] == paper["yy"], source
        if entry := known.get(paper["number"]):
            assert int(paper["year"]) == entry["year"]


def test_a_number_out_of_nowhere_is_noticed() -> None:
    file = api.ROOT / "kernels/attention.py"
    assert not unproven("D is 256 or less, 1/√D if not given, and lse = −∞ in float32", file)
    assert unproven("D is 250 or less, or 77", file) == ["250", "77"]
