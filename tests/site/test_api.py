"""The API page says of every public name what the code says, and where the book teaches it."""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any

import griffe
import pytest

from book import api, signatures
from book.docstrings import parse
from tests.site.conftest import Render

with suppress(ImportError):  # before a test beside these brings in Triton, to compile for a GPU
    import kernels  # noqa: F401

ENTRIES = {entry.path: entry for entry in api.entries()}
LISTING = api.listing()
TAG = re.compile(r"<[^>]+>")
CODE = """
PAIR = (64, 64)
Both = tuple[int, int]
def plain(): ...
def all_kinds(a, b: int = 1, /, c="x", *rest: int, d: Both | None = None, **more: str) -> None: ...
def only_positional(a, /): ...
def only_keywords(*, at: Both = PAIR) -> dict[str, int]: ...
class Thing:
    def __init__(self, size: int = 2) -> None: ...
"""


def section(path: str) -> str:
    """The entry of a name, as HTML without its heading."""
    return LISTING.split(f" {{ #{path} }}\n")[1].split("\n##")[0]


def text(html: str) -> str:
    return " ".join(unescape(TAG.sub("", html)).split())


def public(package: ModuleType) -> Iterator[str]:
    """What readers may import, as Python itself sees it."""
    for name in package.__all__:
        value = getattr(package, name)
        if not isinstance(value, ModuleType):
            yield f"{package.__name__}.{name}"
        elif hasattr(value, "__all__"):
            yield from public(value)
        else:
            for own, one in vars(value).items():
                made_here = getattr(one, "__module__", "") == value.__name__
                if callable(one) and made_here and not own.startswith("_"):
                    yield f"{value.__name__}.{own}"


def load(package: str) -> ModuleType:
    """Imports a package, if it can be: there is no Triton for macOS and Windows."""
    return pytest.importorskip(package, exc_type=ImportError)


@pytest.mark.parametrize("package", api.PACKAGES)
def test_every_public_name_has_an_entry(package: str) -> None:
    listed = {path for path in ENTRIES if path.startswith(f"{package}.")}
    assert listed == set(public(load(package)))


@pytest.mark.parametrize("path", ENTRIES)
def test_an_entry_tells_what_its_docstring_tells(path: str) -> None:
    doc = parse(api.says(ENTRIES[path].thing))
    shown = section(path).partition('<dl class="members">')[0]
    assert doc.summary, "no docstring"
    body, _, facts = text(shown.replace('<dl class="facts">', "¦")).partition("¦")
    for part in (doc.summary, *doc.body):
        assert squeezed(part) in squeezed(body)
    for name, fact in (("Raises", doc.raises), ("Source", doc.source)):
        assert (f"<dt>{name}</dt>" in shown) == bool(fact)
        assert squeezed(fact) in squeezed(facts)


def squeezed(text: str) -> str:
    """Letters and signs, without the marks that become elements."""
    return re.sub(r"[\s`]", "", unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize("path", ENTRIES)
def test_an_entry_leads_to_its_chapter(path: str) -> None:
    entry = ENTRIES[path]
    assert entry.chapter, f"no chapter teaches {entry.name}: docs/reference/api.toml"
    assert f">Chapter {entry.chapter.number}</a>" in section(path)


@pytest.mark.parametrize("path", ENTRIES)
def test_an_entry_leads_to_the_line_of_its_code(path: str) -> None:
    link = re.search(r'href="source:([\w/]+\.py)#L(\d+)"', section(path))
    assert link is not None
    line = (api.ROOT / link[1]).read_text(encoding="utf-8").splitlines()[int(link[2]) - 1]
    assert re.match(rf"(def |class |@|{ENTRIES[path].thing.name}\b)", line), line


def test_names_in_docstrings_lead_to_entries_and_papers_to_the_bibliography() -> None:
    shown = section("attnref.attention_weights")
    assert '<a href="#attnref.attention"><code>attention</code></a>' in shown
    assert '<a href="#attnref.attention"><code>attnref.attention</code>' in section(
        "kernels.attention"
    )
    assert '<a href="../bibliography/#vaswani2017">arXiv:1706.03762</a>' in LISTING
    own = section("attnref.masks.bigbird")
    assert "<code>window</code>" in own
    assert "<code>window</code></a>" not in own, "a parameter is not the mask of that name"


@pytest.mark.parametrize("path", ENTRIES)
def test_a_signature_is_that_of_the_code(path: str) -> None:
    entry = ENTRIES[path]
    package, *names = path.split(".")
    value = reduce(getattr, names, load(package))
    if isinstance(entry.thing, griffe.Attribute):
        return
    cases = [(value, entry.thing)]
    cases += [(getattr(value, m.name), m) for m in entry.members if m.is_function]
    for thing, described in cases:
        written = text(signatures.html(described))
        assert written in text(section(path))
        assert python(written, thing) == str(without_self(thing)), written


def python(written: str, thing: Any) -> str:
    """A signature, read by Python where the thing is at home."""
    name = written.partition("(")[0]
    names = dict(vars(sys.modules[thing.__module__]))
    run(f"def {written.replace(name, 'read', 1)}: ...", names)
    return str(inspect.signature(names["read"]))


def run(code: str, names: dict[str, Any]) -> None:
    exec(compile(code, "<signature>", "exec", dont_inherit=True), names)


def without_self(thing: Any) -> inspect.Signature:
    """As it is called: a class by what makes one, a method of something that is there."""
    told = inspect.signature(thing)
    if inspect.isclass(thing):
        return told.replace(return_annotation=inspect.Signature.empty)
    own = [one for one in told.parameters.values() if one.name != "self"]
    return told.replace(parameters=own)


@pytest.mark.parametrize(
    "name", ["plain", "all_kinds", "only_positional", "only_keywords", "Thing"]
)
def test_every_kind_of_parameter_is_written_as_python(name: str) -> None:
    names: dict[str, Any] = {}
    run(CODE, names)
    with griffe.temporary_visited_module(CODE) as module:
        written = text(signatures.html(module[name]))
    assert "PAIR" not in written, "a name that only its file knows"
    assert "Both" not in written
    run(f"def {written}: ...".replace(name, "read", 1), names)
    assert inspect.signature(names["read"]) == without_self(names[name])


def test_the_table_of_chapters_names_nothing_that_is_gone() -> None:
    table = tomllib.loads(api.TAUGHT.read_text(encoding="utf-8"))
    named = [name for names in table.values() for name in names]
    assert len(named) == len(set(named)), "a name stands there twice"
    known = {e.path.removeprefix("attnref.") for e in ENTRIES.values()}
    known |= {Path(e.file).stem for e in ENTRIES.values() if e.path.startswith("attnref.")}
    assert set(named) <= known


def test_a_name_without_a_chapter_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "api.toml").write_text('7 = ["attention"]\n')
    monkeypatch.setattr(api, "TAUGHT", tmp_path / "api.toml")
    lost = {entry.path for entry in api.entries() if entry.chapter is None}
    assert {"attnref.softmax", "kernels.attention"} <= lost
    assert "attnref.attention" not in lost


def test_a_source_link_leads_to_the_repository(render: Render) -> None:
    html = str(render("[code](source:attnref/masks.py#L8)").html)  # type: ignore[attr-defined]
    assert 'href="/blob/main/attnref/masks.py#L8"' in html
