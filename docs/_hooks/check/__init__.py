"""Check a page: run its code, draw its figures, and compare its numbers, formulas and references.

It imports Sybil, NumPy and Python-Markdown, and never MkDocs, so that pytest, the site build and
a reader's browser all run the same code.
"""
