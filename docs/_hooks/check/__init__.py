"""Check a page: run its code, draw its figures, and compare its numbers, formulas and references.

It imports Sybil, NumPy and Python-Markdown, but not MkDocs, so that pytest, the site build and a
reader's browser run the same code.
"""
