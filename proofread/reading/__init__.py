"""From Markdown to numbers, claims and code: nothing here runs anything."""
