"""Cuts a font down to the characters it is wanted for, and mends what browsers make of it."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import uharfbuzz as harfbuzz
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

if TYPE_CHECKING:
    from book.fonts import Face


def cut(face: Face, source: Path, wanted: Iterable[str], target: Path) -> None:
    """Write the wanted characters of a face as woff2, its axes limited as the face says."""
    whole = harfbuzz.Face(harfbuzz.Blob.from_file_path(str(source)))
    part = harfbuzz.SubsetInput()
    part.flags = harfbuzz.SubsetFlags.NO_HINTING | harfbuzz.SubsetFlags.OPTIMIZE_IUP_DELTAS
    part.unicode_set.update(map(ord, wanted))
    part.name_id_set.clear()
    part.name_id_set.update((0, 1, 2, 4, 13, 14))
    part.layout_feature_tag_set.clear()
    tags = (int.from_bytes(feature.encode()) for feature in face.features)
    part.layout_feature_tag_set.update(tags)
    for axis, where in face.axes:
        if isinstance(where, tuple):
            part.set_axis_range(whole, axis, *where)
        else:
            part.pin_axis_location(whole, axis, where)
    font = TTFont(io.BytesIO(part.subset(whole).blob.data), recalcTimestamp=False)
    if face.name == "math":
        _even_out_roots(font)
        _level_subscripts(font)
    font.flavor = "woff2"
    font.save(target)


def _even_out_roots(font: TTFont) -> None:
    """Give every size of the root sign the width of the smallest.

    Chromium reserves the widest one's width around every root, which leaves a hole after √2.
    """
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    sizes = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    names = {v.VariantGlyph for v in sizes.MathGlyphVariantRecord}
    names |= {part.glyph for part in sizes.GlyphAssembly.PartRecords}
    width, glyphs, metrics = font["hmtx"][root][0], font["glyf"], font["hmtx"]
    for name in names - {root}:
        pen, squeeze = TTGlyphPen(None), width / metrics[name][0]
        glyphs[name].draw(TransformPen(pen, (squeeze, 0, 0, 1, 0, 0)), glyphs)
        glyphs[name] = pen.glyph()
        metrics[name] = width, round(metrics[name][1] * squeeze)


def _level_subscripts(font: TTFont) -> None:
    """Set the 3 of q₃ as high as that of k₃: a letter's tail does not push its index down."""
    constants = font["MATH"].table.MathConstants
    tail = -font["glyf"][font.getBestCmap()[ord("𝑞")]].yMin
    constants.SubscriptBaselineDropMin.Value = constants.SubscriptShiftDown.Value - tail
