"""The engine: what an example, a statement, a number in prose, a figure and a reference are.

It knows Sybil, NumPy and Python-Markdown, and nothing of MkDocs: pytest, the build of the
site and a reader's browser run the same one.
"""
