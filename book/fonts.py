"""Cuts the book's fonts, which come as pip packages, down to the characters that its pages set."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from book.rendering import ROOT

CACHE = ROOT / ".cache/fonts"
ASCII = {chr(code) for code in range(0x20, 0x7F)}
LETTERS = "AKOQVaekoqsv"
MATH = re.compile(r"<math.*?</math>", re.S)
TAG = re.compile(r"<(?:script|style).*?</(?:script|style)>|<[^>]+>", re.S)


@dataclass(frozen=True)
class Face:
    name: str
    css: str  # what @font-face says of it
    package: str
    file: str
    axes: tuple[tuple[str, float | tuple[float, float]], ...] = ()  # a range, or pinned
    features: tuple[str, ...] = ("kern", "liga", "mark", "mkmk", "ccmp", "locl")


SERIF, SANS, MONO = "fontpkg_source_serif_4", "fontpkg_source_sans_3", "fontpkg_source_code_pro"
FACES = (
    Face(
        "text",
        "font-family: Book; font-weight: 400 650",
        SERIF,
        "files/SourceSerif4[opsz,wght].ttf",
        (("opsz", 14), ("wght", (400, 650))),
    ),
    Face(
        "text-italic",
        "font-family: Book; font-style: italic",
        SERIF,
        "files/SourceSerif4-Italic[opsz,wght].ttf",
        (("opsz", 14), ("wght", 400)),
    ),
    Face(
        "sans",
        "font-family: Label; font-weight: 400 650",
        SANS,
        "files/SourceSans3[wght].ttf",
        (("wght", (400, 650)),),
    ),
    Face(
        "mono",
        "font-family: Program; font-weight: 400 600",
        MONO,
        "files/SourceCodePro[wght].ttf",
        (("wght", (400, 600)),),
    ),
    Face(
        "math",
        "font-family: Formula",
        "ziamath",
        "fonts/STIXTwoMath-Regular.ttf",
        features=("dtls", "flac"),
    ),
)


def expect() -> None:
    """Get ready in the background, if nothing has been cut yet: what it takes is slow to import."""
    if not CACHE.exists():
        Thread(target=import_module, args=["book.cutting"], daemon=True).start()


def cut(site: Path) -> None:
    """Write site/assets/fonts.css: each face, with the characters of the built pages.

    The fonts come inside the style sheet, so that no page is ever shown without them: text does
    not move when they arrive, and no bracket of a formula stays small.
    """
    text, formulas = characters(site)

    def rule(face: Face) -> str:
        wanted = formulas | text if face.name == "math" else ASCII | text
        data = base64.b64encode(_cached(face, wanted)).decode()
        source = f"font-display: optional; src: url(data:font/woff2;base64,{data})"
        return f"@font-face {{ {face.css}; {source}; }}\n"

    with ThreadPoolExecutor() as several:
        (site / "assets/fonts.css").write_text("".join(several.map(rule, FACES)))


def characters(site: Path) -> tuple[set[str], set[str]]:
    """What the pages, the style sheet and the scripts set as text, and what formulas set."""
    text, formulas = set[str](), set[str]()
    for page in site.rglob("*.html"):
        source = page.read_text(encoding="utf-8")
        for formula in MATH.findall(source):
            formulas |= set(unescape(TAG.sub("", formula)))
        text |= set(unescape(TAG.sub("", MATH.sub("", source))))
    for file in (ROOT / "docs").rglob("*"):
        if file.suffix in (".css", ".js"):
            text |= set(file.read_text(encoding="utf-8"))
    formulas |= set(LETTERS)  # which widgets and figures name by their letter
    formulas |= {italic for letter in formulas if (italic := _italic(letter))}
    return text - ASCII, formulas


def _italic(letter: str) -> str:
    """What a browser sets for <mi>x</mi>: the letter's mathematical italic."""
    if letter == "h":
        return "\N{PLANCK CONSTANT}"
    if "A" <= letter <= "Z":
        return chr(0x1D434 + ord(letter) - ord("A"))
    if "a" <= letter <= "z":
        return chr(0x1D44E + ord(letter) - ord("a"))
    if "α" <= letter <= "ω":
        return chr(0x1D6FC + ord(letter) - ord("α"))
    return ""


def _cached(face: Face, wanted: set[str]) -> bytes:
    spec = find_spec(face.package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the font package {face.package} is not installed")
    source = Path(spec.origin).parent / face.file
    code = Path(__file__).with_name("cutting.py").read_bytes()
    recipe = [code, source.read_bytes(), repr(face).encode()]
    key = hashlib.sha256(b"\0".join([*recipe, "".join(sorted(wanted)).encode()])).hexdigest()
    file = CACHE / f"{face.name}-{key[:16]}.woff2"
    if not file.exists():
        from book import cutting  # only now: a build that finds all fonts does not wait for it

        CACHE.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}.part")  # another build may be cutting it, too
        cutting.cut(face, source, wanted, part)
        part.replace(file)
    return file.read_bytes()
