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
