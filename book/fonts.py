"""Cut the book's four font families down to what the book sets: `python -m book.fonts`."""

from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parent.parent
NPM = ROOT / "node_modules/@fontsource-variable"
OUT = ROOT / "docs/assets/fonts"
ZIAMATH = Path(find_spec("ziamath").origin).parent / "fonts/STIXTwoMath-Regular.ttf"

LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’“”…−×·→←↑↓⁄′″")]
SYMBOLS = map(ord, "∑∏√∞∈∉∀∂∇≈≠≤≥≪≫∝≡⋅·×÷±−⊤⊥∘⊙⊕∥∣‖⟨⟩⌈⌉⌊⌋⋯⋮⋱…→←↦⇒⟶⟵ℝℓ⏞⏟⎴⎵⁡⁢⁣′̂̃̄✓")
ITALIC = [*range(0x1D434, 0x1D468), 0x210E]  # Latin italic; h lives at ℎ

GREEK = [*range(0x391, 0x3CA), *range(0x1D6FC, 0x1D71C)]
MATHS = [*range(0x20, 0x7F), *SYMBOLS, *ITALIC, *GREEK]

# name, source, code points, weights kept
FACES = [
    ("text", NPM / "stix-two-text/files/stix-two-text-latin-wght-normal.woff2", LATIN, (400, 700)),
    (
        "text-italic",
        NPM / "stix-two-text/files/stix-two-text-latin-wght-italic.woff2",
        LATIN,
        (400, 700),
    ),
    ("sans", NPM / "source-sans-3/files/source-sans-3-latin-wght-normal.woff2", LATIN, (400, 700)),
    (
        "mono",
        NPM / "source-code-pro/files/source-code-pro-latin-wght-normal.woff2",
        LATIN,
        (400, 600),
    ),
    ("math", ZIAMATH, MATHS, None),
]


def even_out_roots(font: TTFont) -> None:
    """Give every size of the root sign the width of the smallest.

    Chromium reserves the widest one's width around every root, which leaves a hole after √2.
    """
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    sizes = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    names = [v.VariantGlyph for v in sizes.MathGlyphVariantRecord] + [
        p.glyph for p in sizes.GlyphAssembly.PartRecords
    ]
    width, glyphs, metrics = font["hmtx"][root][0], font["glyf"], font["hmtx"]
    for name in set(names) - {root}:
        pen, squeeze = TTGlyphPen(None), width / metrics[name][0]
        glyphs[name].draw(TransformPen(pen, (squeeze, 0, 0, 1, 0, 0)), glyphs)
        glyphs[name] = pen.glyph()
        metrics[name] = width, round(metrics[name][1] * squeeze)


def level_subscripts(font: TTFont) -> None:
    """Set the 3 of q₃ as high as that of k₃: a letter's tail does not push its index down."""
    constants = font["MATH"].table.MathConstants
    tail = -font["glyf"][font.getBestCmap()[ord("𝑞")]].yMin
    constants.SubscriptBaselineDropMin.Value = constants.SubscriptShiftDown.Value - tail


def cut(name: str, source: Path, codepoints: list[int], weights: tuple[int, int] | None) -> int:
    """Write one face as woff2 and return its size in bytes."""
    font = TTFont(source)
    if name == "math":
        even_out_roots(font)
        level_subscripts(font)
    options = subset.Options(flavor="woff2", hinting=False, name_IDs=[0, 1, 2, 4, 13, 14])
    options.layout_features = (
        ["dtls", "flac"] if name == "math" else ["kern", "liga", "mark", "mkmk", "ccmp", "pnum"]
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codepoints)
    cutter.subset(font)
    if weights:
        instantiateVariableFont(font, {"wght": weights}, inplace=True)
    target = OUT / f"{name}.woff2"
    font.flavor = "woff2"
    font.save(target)
    return target.stat().st_size


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    sizes = {name: cut(name, *rest) for name, *rest in FACES}
    print(
        *(f"{size:7,d}  {name}" for name, size in sizes.items()),
        f"{sum(sizes.values()):7,d}  all",
        sep="\n",
    )
