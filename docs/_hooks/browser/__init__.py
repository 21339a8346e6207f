"""Run pages in the reader's browser, with edits, generated mutants and named mistakes."""
