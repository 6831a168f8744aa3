"""proofread new: templates are filled in, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofread import scaffold
from proofread.filling import ScaffoldError
from proofread.settings import load
from tests.proofread.test_cli import call

CONTENTS = """[[part]]
chapters = [
    { file = "01-page", title = "A page", says = "It is one." },
    { file = "02-planned", title = "A plan", says = "It will be." },
]
"""
TEMPLATES = {
    "chapter/{{file}}.md.new": "# {{title}}\n\n{{says}} After {{before}}.\n",
    "chapter/c.toml.insert": "after:     { file\n"
    '    { file = "{{file}}", title = "{{title}}", says = "{{says}}" },\n',
    "chapter/NOTES": "Look at {{file}}.md\n",
    "part/code/ch{{number}}/{{snake}}.py.new": 'print("{{words}}, {{class}}, chapter {{n}}")\n',
    "part/{{chapter}}.md.insert": "before: ## End\n## {{words}}\n\n",
    "thing/{{name}}.txt.new": "{{words}}\n",
}


@pytest.fixture
def project(book: Path) -> Path:
    settings = (book / "pyproject.toml").read_text() + 'templates = "t"\n'
    (book / "pyproject.toml").write_text(settings)
    (book / "c.toml").write_text(CONTENTS)
    (book / "01-page.md").write_text("# A page\n\n## End\n\n## End\n")
    (book / "code/ch01").mkdir(parents=True)
    (book / "code/ch01/there.py").touch()
    for name, text in TEMPLATES.items():
        (book / "t" / name).parent.mkdir(parents=True, exist_ok=True)
        (book / "t" / name).write_text(text)
    return book


def everything(project: Path) -> dict[Path, bytes | None]:
    """Every file with what it holds, and every folder."""
    return {path: path.read_bytes() if path.is_file() else None for path in project.rglob("*")}


def new(project: Path, *arguments: str) -> str:
    """Makes something; gives what is said."""
    done = call("new", "--root", project, *arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_planned_chapter_is_written_as_the_contents_plan_it(project: Path) -> None:
    told = new(project, "chapter", "planned")
    assert told == "new      02-planned.md\n\nLook at 02-planned.md\n"
    assert (project / "02-planned.md").read_text() == "# A plan\n\nIt will be. After 01-page.\n"
    assert (project / "c.toml").read_text() == CONTENTS


@pytest.mark.parametrize("name", ["fresh-air", "03-fresh-air"])
def test_a_new_chapter_comes_last_and_into_the_contents(project: Path, name: str) -> None:
    told = new(project, "chapter", name, "--says", "Air.")
    assert told.startswith("new      03-fresh-air.md\nchanged  c.toml\n")
    assert (project / "03-fresh-air.md").read_text() == "# Fresh air\n\nAir. After 02-planned.\n"
    entry = '    { file = "03-fresh-air", title = "Fresh air", says = "Air." },\n'
    assert (project / "c.toml").read_text() == CONTENTS.removesuffix("]\n") + entry + "]\n"
    assert load(project).chapters[3] == "03-fresh-air"


def test_a_part_of_a_chapter_goes_into_it(project: Path) -> None:
    new(project, "part", "ch1/more_keys")
    assert (project / "code/ch01/more_keys.py").read_text() == (
        'print("More keys, MoreKeys, chapter 1")\n'
    )
    assert (project / "01-page.md").read_text() == "# A page\n\n## More keys\n\n## End\n\n## End\n"


def test_lines_are_inserted_with_the_ends_that_the_file_has(project: Path) -> None:
    (project / "01-page.md").write_bytes(b"# A page\r\n\r\n## End\r\n")
    new(project, "part", "ch01/keys")
    assert (project / "01-page.md").read_bytes() == b"# A page\r\n\r\n## Keys\r\n\r\n## End\r\n"


WRONG = {
    "part ch01/there": "code/ch01/there.py exists already",
    "chapter 02-other": "chapter 2 is 02-planned",
    "chapter 05-late": "the next chapter in c.toml would be 3",
    "chapter planned --title Other": "c.toml gives its title: A plan",
    'chapter fresh --title x"y': 'without " and',
    "chapter ch01/fresh": "it goes into no chapter: fresh",
    "chapter two-keys": "Two is a number that nothing would prove",
    "chapter fresh --title 96_layers": "96 is a number that nothing would prove",
    "part keys": "say which chapter it goes into, as in ch07/keys",
    "part ch01/random": "random is a module of Python",
    "part ch09/keys": "c.toml has no chapter 9",
    "part ch02/keys": "02-planned.md, where it would be inserted, does not exist yet",
    "thing Keys": "'Keys' is no name",
    "thing ../keys": "'../keys' is no name",
    "thing keys-": "'keys-' is no name",
    "thing lambda": "lambda is a word of Python",
    f"thing {'k' * 31}": "at most 30 characters",
    "nothing keys": "no template 'nothing', but chapter, part, thing",
    "../t/thing keys": "no template '../t/thing'",
}


@pytest.mark.parametrize("asked", WRONG)
def test_what_cannot_be_made_is_told_and_nothing_is_written(project: Path, asked: str) -> None:
    before = everything(project)
    words = [word.replace("_", " ") for word in asked.split()]
    done = call("new", "--root", project, *words)
    assert done.exit_code == 2
    assert WRONG[asked] in done.output
    assert everything(project) == before


SPOILT = {
    "{{nmae}}.new": ("x", "{{nmae}} in {{nmae}}.new of the template has no value"),
    "x.txt": ("x", "thing/x.txt of the templates is neither .new nor .insert"),
    "c.toml.insert": ("x\n", "begins with no `before: …` or `after: …`"),
    "01-page.md.insert": ("after: ## Nowhere\nx\n", "no line that begins with '## Nowhere'"),
}


@pytest.mark.parametrize("file", SPOILT)
def test_a_template_that_cannot_be_read_is_told(project: Path, file: str) -> None:
    text, message = SPOILT[file]
    (project / "t/thing" / file).write_text(text)
    with pytest.raises(ScaffoldError) as told:
        scaffold.plan("thing", "keys", load(project))
    assert message in str(told.value)


def test_when_a_file_cannot_be_written_nothing_is_left_behind(project: Path) -> None:
    made = scaffold.plan("part", "ch01/keys", load(project))
    made.new["fresh/air/x.txt"] = "in folders that are new, too"
    made.new["c.toml/x.txt"] = "below a file, where nothing can be"
    before = everything(project)
    with pytest.raises(ScaffoldError, match="nothing was written"):
        scaffold.write(made)
    assert everything(project) == before
