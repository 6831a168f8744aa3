"""Keeps a book true: finds the code and the numbers in its pages, runs them, compares, reports."""
