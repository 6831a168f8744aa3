"""What several tests do to a page."""

from __future__ import annotations

from playwright.sync_api import Page


def unfold(page: Page) -> None:
    """Open every fold; the options of a question, too, of which a reader opens one at a time."""
    page.evaluate(
        """() => document.querySelectorAll('details').forEach(fold => {
          fold.removeAttribute('name');
          fold.open = true;
        })"""
    )


def linked(page: Page) -> None:
    """Wait until links change the page without a reload: Material has had time for the sitemap.

    It does not say when it has read it, and a click before that loads the page anew.
    """
    page.wait_for_function(
        """() => performance.getEntriesByType('resource').some(
          ({name, responseEnd: end}) => /sitemap.xml$/.test(name) && performance.now() > end + 500
        )"""
    )


def thin(page: Page) -> None:
    """Of what a page repeats a thousand times, keep one of a kind: tokens of code, a ledger's rows.

    They look alike, whatever they say, so whoever looks at all of them learns no more.
    """
    page.evaluate("""() => {
      const seen = new Set();
      for (const token of document.querySelectorAll('pre code span[class]')) {
        const kind = `${token.className} in ${token.closest('.admonition, details')?.className}`;
        if (seen.has(kind)) token.replaceWith(...token.childNodes);
        seen.add(kind);
      }
      document.querySelectorAll('.ledger tr:nth-child(n + 6)').forEach(row => row.remove());
    }""")
