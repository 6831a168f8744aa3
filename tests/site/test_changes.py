"""book.changes lists what differs between two builds, and gives a stranger's text no power."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from book import changes
from book.changes import Page, Unreadable, main, read, told

CHAPTER = "chapters/01-mixture/"
HOSTILE = [
    "@everyone", "`@everyone`", "``` @everyone", "<img src=x onerror=alert(1)>", "<!--",
    "![x](//evil.example)", "[click](https://evil.example)", "https://evil.example",
    "www.evil.example", "a@evil.example", "#1", "evil/repo#1", "\n# heading", "\r- item",
    "&#64;everyone", "\\`@everyone`", "|a|b|", "\u202egnp.exe", "\x00",
    "", " ", "`", "\u2028# heading", "\\",
]  # fmt: skip


def book(*claims: tuple[str, object], text: str = "a page") -> dict[str, object]:
    """The two files of a build with one chapter."""
    told = [{"claim": claim, "says": says} for claim, says in claims]
    return {
        changes.CLAIMS: {"commit": "1", "pages": {f"docs/{CHAPTER[:-1]}.md": {"claims": told}}},
        changes.INDEX: {
            "docs": [
                {"location": CHAPTER, "title": "Mixture", "text": ""},
                {"location": f"{CHAPTER}#one", "title": "One", "text": text},
            ]
        },
    }


def site(folder: Path, files: dict[str, object]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content))
    return folder


def archive(path: Path, files: dict[str, object]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, json.dumps(content))
    return path


def difference(tmp_path: Path, old: dict[str, object], new: dict[str, object]) -> str:
    return told(read(site(tmp_path / "old", old)), read(site(tmp_path / "new", new)))


def test_a_number_that_changed_is_listed_with_its_expression(tmp_path: Path) -> None:
    old = book(("= w[0]", ["0.2483"]), ("= w[1]", ["0.5"]))
    new = book(("= w[0]", ["0.2484"]), ("= w[1]", ["0.5"]))
    assert difference(tmp_path, old, new).splitlines() == [
        "1 page of the book differs:",
        "",
        f"- `{CHAPTER}`",
        "  - `0.2483` is now `0.2484`, by `= w[0]`",
    ]


def test_numbers_that_come_and_go_do_not_hide_the_one_between(tmp_path: Path) -> None:
    old = book(("= gone", ["1"]), ("= kept", ["2"]))
    new = book(("= kept", ["3"]), ("= here", ["4"]))
    found = difference(tmp_path, old, new)
    for row in ("`1` is gone", "`2` is now `3`", "`4` is new, by `= here`"):
        assert row in found


def test_a_claim_may_say_a_text_in_place_of_numbers(tmp_path: Path) -> None:
    found = difference(tmp_path, book(("= same", "True")), book(("= same", "False")))
    assert "`True` is now `False`" in found


def test_a_page_whose_text_alone_changed_is_listed(tmp_path: Path) -> None:
    found = difference(tmp_path, book(text="before"), book(text="after"))
    assert f"- `{CHAPTER}`: its text" in found


def test_pages_that_come_and_go_are_listed(tmp_path: Path) -> None:
    one, two = {"a/": Page(["x"])}, {"b/": Page(["x"])}
    assert "- `a/` is gone\n- `b/` is new" in told(one, two)


def test_the_same_book_has_no_changes(tmp_path: Path) -> None:
    assert difference(tmp_path, book(("= a", ["1"])), book(("= a", ["1"]))) == (
        "No page and no number changes."
    )


def test_a_source_and_its_page_are_one(tmp_path: Path) -> None:
    files = book(("= a", ["1"]))
    assert list(read(site(tmp_path, files))) == [CHAPTER]
    addresses = {
        "docs/index.md": "",
        "docs/labs/01-x.py": "labs/01-x/",
        "docs/reference/index.md": "reference/",
        "README.md": "README.md",
    }
    assert {path: changes._address(path) for path in addresses} == addresses


def test_an_archive_is_read_like_a_site(tmp_path: Path) -> None:
    files = book(("= a", ["1"]))
    packed = archive(tmp_path / "a.zip", files | {"../../outside": "never looked at"})
    assert read(packed) == read(site(tmp_path / "site", files))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    harmless(text)


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("`\\<>&@#[]()!|\n*_~"), max_size=200))
def test_any_text_stays_text(text: str) -> None:
    harmless(text)


def harmless(text: str) -> None:
    """All of it, as page, claim and number, stands in code spans: no mark of it is alive."""
    old, new = Page([], [(text, f"was {text}"), (f"= {text}", "1")]), Page([], [(text, text)])
    shown = told({text: old, f"old {text}": old}, {text: new, f"new {text}": new})
    assert text != "" or "(nothing)" in shown
    assert all(c == "\n" or unicodedata.category(c)[0] != "C" for c in shown)
    kinds = set()
    for token in MarkdownIt("commonmark", {"html": True}).parse(shown):
        kinds.add(token.type)
        for child in token.children or ():
            kinds.add(child.type)
            if child.type == "text":
                plain = {*child.content} - {*", :."}
                assert all(character.isascii() and character.isalnum() for character in plain)
                assert text not in HOSTILE or not text.strip() or text not in child.content
    blocks = {kind.removesuffix("_open").removesuffix("_close") for kind in kinds}
    assert blocks <= {"bullet_list", "list_item", "paragraph"} | {
        "inline",
        "text",
        "code_inline",
        "softbreak",
    }


def test_the_list_fits_a_comment_and_says_how_much_it_leaves_out() -> None:
    wide, pages, claims = "x" * 1000, range(100), range(100)
    old, new = (
        {
            f"{wide}{page}": Page([], [(f"= {i}{wide}", says + wide) for i in claims])
            for page in pages
        }
        for says in "12"
    )
    shown = told(old, new)
    assert 20_000 < len(shown) < 60_000
    listed = shown.count("\n- `")
    assert shown.count("  - and 80 more numbers") == listed
    assert shown.endswith(f"- and {100 - listed} more pages")


@pytest.mark.parametrize(
    "files",
    [
        {changes.CLAIMS: {}},
        {changes.CLAIMS: {"pages": []}, changes.INDEX: {"docs": []}},
        {changes.CLAIMS: {"pages": {"a": 1}}, changes.INDEX: {"docs": []}},
        {changes.CLAIMS: {"pages": {}}, changes.INDEX: {"docs": [1]}},
    ],
)
def test_what_is_no_build_is_refused(files: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"a\.zip"):
        read(archive(tmp_path / "a.zip", files))


def test_a_file_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "LARGEST", 1000)
    with pytest.raises(Unreadable, match="more than 1000 bytes"):
        read(archive(tmp_path / "a.zip", book(text="x" * 2000)))


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04"])
def test_what_is_no_archive_is_refused_in_a_sentence(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    assert main([str(tmp_path / "a.zip"), str(tmp_path)]) == 1
    assert "a.zip has no claims.json to read" in capsys.readouterr().err
