"""Templates that a first build compiles while its pages run."""

from pathlib import Path

import pytest
from jinja2 import FileSystemBytecodeCache
from mkdocs.theme import Theme

from book import templates

OURS = templates.ROOT / "book/theme"


@pytest.fixture
def theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Theme:
    monkeypatch.setattr(templates, "CACHE", tmp_path / "templates")
    made = Theme(name="material", custom_dir=str(OURS))
    templates.quicken(made)
    return made


def test_pages_begin_with_the_templates_that_are_named() -> None:
    assert sorted(templates.PAGES) == sorted(file.name for file in OURS.glob("*.html"))


def test_a_page_finds_all_its_templates_compiled(theme: Theme) -> None:
    templates.expect(theme)
    compiled = len(list(templates.CACHE.iterdir()))
    assert compiled > 20

    class Refusing(FileSystemBytecodeCache):
        def dump_bytecode(self, bucket: object) -> None:
            raise AssertionError(f"compiled late: {bucket}")

    env = theme.get_env()
    env.bytecode_cache = Refusing(str(templates.CACHE))
    for name in (*templates.PAGES, "partials/header.html", "partials/nav.html"):
        env.get_template(name)


def test_what_is_compiled_is_left_alone(theme: Theme) -> None:
    (templates.CACHE / "one").touch()
    templates.expect(theme)
    assert [file.name for file in templates.CACHE.iterdir()] == ["one"]
