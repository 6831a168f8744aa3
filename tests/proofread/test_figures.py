"""A figure is the same bytes every time, has ids of its own, and says what it shows."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from proofread.proof import prove_all
from proofread.settings import load
from tests.proofread.conftest import fence

PLOT = """from matplotlib import pyplot
figure, axes = pyplot.subplots(figsize=(3, 2))
axes.plot([1, 2, 3], [1, 4, 9], marker="o")
axes.set_title("Squares & <more>")
"""
ALT = 'exec="on" alt="A curve that rises &quot;fast&quot;."'


@pytest.fixture
def figures(book: Path) -> list[str]:
    """What two blocks draw; the second draws two figures."""
    text = fence(PLOT, ALT) + "\n" + fence(PLOT + PLOT, ALT)
    (book / "01-page.md").write_text(text)
    proof = prove_all([book / "01-page.md"], load(book))[0]
    assert not proof.findings, proof.report_all
    return [svg for ran in proof.outcome.runs for svg in ran.figures]


def test_a_figure_is_well_formed_and_says_what_it_shows(figures: list[str]) -> None:
    assert len(figures) == 3
    for svg in figures:
        root = ET.fromstring(svg)
        assert root.get("role") == "img"
        assert root.get("aria-label", "").startswith("A curve that rises")
        assert root.get("viewBox")
        assert root.get("height") is None


def test_ids_are_the_figures_own_and_lead_where_they_should(figures: list[str]) -> None:
    seen: set[str] = set()
    for svg in figures:
        ids = set(re.findall(r'\bid="([^"]+)"', svg))
        used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
        assert used
        assert used <= ids
        assert not ids & seen
        seen |= ids


def test_a_figure_is_the_same_bytes_in_another_process(
    book: Path, figures: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFREAD_STORE", "off")
    again = prove_all([book / "01-page.md"], load(book))[0]
    assert [svg for ran in again.outcome.runs for svg in ran.figures] == figures


def test_a_figure_follows_the_colour_and_the_font_of_the_page(figures: list[str]) -> None:
    assert "currentColor" in figures[0]
    assert "#000000" not in figures[0]
    assert "<text" in figures[0], "letters stay letters"


def test_a_figure_is_remembered(book: Path, figures: list[str]) -> None:
    again = prove_all([book / "01-page.md"], load(book))[0]
    assert again.ran == 0
    assert [svg for ran in again.outcome.runs for svg in ran.figures] == figures
