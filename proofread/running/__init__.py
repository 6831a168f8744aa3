"""Runs the code of pages, each in a process of its own, and remembers what it said."""
