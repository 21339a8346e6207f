"""Encodings that are added, the first part of the book: sinusoids, learned tables, their costs."""
