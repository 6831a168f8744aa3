"""Several machines fill one store, and the site made from it is the one that a single one makes."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from tests.site.conftest import call, pages
from tests.site.test_interrupted_builds import PAGE, SETTINGS

PAGES = ("index", "one", "two", "three", "four")
SHARED = "import shared\nprint(shared.word)"


@pytest.fixture
def book(copy: Path) -> Path:
    """A book of a few pages, which share a module and say numbers."""
    for page in pages(copy):
        page.unlink()
    for number, name in enumerate(PAGES):
        code = f"{SHARED}\nnumber = {number} * shared.factor"
        said = f"\nIt says {7 * number}<!-- = number -->.\n"
        (copy / f"docs/{name}.md").write_text(PAGE.format(code) + said)
    (copy / "shared.py").write_text("word, factor = 'together', 7\n")
    (copy / "mkdocs.yml").write_text(SETTINGS.format("site_url: https://example.org/book/"))
    return copy


def contents(site: Path) -> dict[str, str]:
    files = (file for file in site.rglob("*") if file.is_file() and file.suffix != ".gz")
    return {str(f.relative_to(site)): sha256(f.read_bytes()).hexdigest() for f in files}


@pytest.fixture
def whole(book: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the site of a single machine holds, from a copy that leaves this book untouched."""
    alone = tmp_path_factory.mktemp("alone") / "book"
    shutil.copytree(book, alone, symlinks=True)
    assert f"{len(PAGES)} ran" in call(alone, "book.build")
    return contents(alone / "site")


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_site_from_shares_is_the_site_of_one_machine(
    book: Path, whole: dict[str, str], count: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stores = []
    for number in range(1, count + 1):
        runner = tmp_path_factory.mktemp("runner") / "book"
        shutil.copytree(book, runner, symlinks=True)
        call(runner, "proofread", "run", "--shard", f"{number}/{count}")
        stores.append(runner / ".cache/proofread")
    for store in stores:
        shutil.copytree(store, book / ".cache/proofread", dirs_exist_ok=True)
    assert f"0 ran, {len(PAGES)} remembered" in call(book, "book.build")
    assert contents(book / "site") == whole
