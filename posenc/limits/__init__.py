"""Limits and practice, the third part of the book: aliasing, longer texts, padding."""
