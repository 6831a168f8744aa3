"""The fonts that a site ships hold every character that its pages set."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from book import fonts

PAGE = "<p>Łukasz’s −∞ ½ √2</p><p><math><mi>q</mi><mo>≈</mo><mn>1</mn></math> ✓</p>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    fonts.cut(folder)
    return folder


def font(site: Path, name: str) -> TTFont:
    rules = (site / "assets/fonts.css").read_text().splitlines()
    rule = rules[[face.name for face in fonts.FACES].index(name)]
    return TTFont(io.BytesIO(base64.b64decode(rule.partition("base64,")[2].partition(")")[0])))


def holds(site: Path, name: str) -> set[str]:
    return set(map(chr, font(site, name).getBestCmap()))


def test_the_text_face_has_the_letters_of_the_text(site: Path) -> None:
    assert set("Łukasz’s −½") <= holds(site, "text")


def test_the_mathematical_face_has_formulas_and_the_signs_that_the_text_face_lacks(
    site: Path,
) -> None:
    assert set("𝑞≈1√∞✓") <= holds(site, "math")


def test_nothing_that_no_page_sets_is_shipped(site: Path) -> None:
    assert not set("ŽЖΩ") & holds(site, "text")
    assert (site / "assets/fonts.css").stat().st_size < 110_000


def test_stretchy_signs_keep_their_larger_forms(site: Path) -> None:
    table = font(site, "math")["MATH"].table
    assert len(table.MathVariants.VertGlyphCoverage.glyphs) > 0
