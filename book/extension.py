"""The book's Markdown extension: everything that happens to a page, in the order it happens."""

from __future__ import annotations

from typing import Any

from markdown import Extension, Markdown

from book.bibliography import Citations
from book.mathml import Formulas, Punctuation
from book.quiz import Quiz
from book.receipts import Receipts
from book.structure import Finished, Sections, Sources, Tables, Unwritten
from book.widgets import Widgets, tags


class BookExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.block_level_elements += tags()
        md.preprocessors.register(Citations(md), "book-citations", 40)  # before footnotes
        md.preprocessors.register(Finished(md), "book-finished", 22)  # before HTML is read
        md.treeprocessors.register(Sections(md), "book-sections", 6)  # before toc
        md.treeprocessors.register(Unwritten(md), "book-unwritten", 4)  # before links are checked
        md.treeprocessors.register(Quiz(md), "book-quiz", 3)
        md.treeprocessors.register(Tables(md), "book-tables", 2)
        md.treeprocessors.register(Widgets(md), "book-widgets", 1)
        md.postprocessors.register(Formulas(md), "book-formulas", 1)
        md.postprocessors.register(Receipts(md), "book-receipts", 0)
        md.postprocessors.register(Punctuation(md), "book-punctuation", -1)
        md.postprocessors.register(Sources(md), "book-sources", -2)


def makeExtension(**options: Any) -> BookExtension:
    return BookExtension(**options)
