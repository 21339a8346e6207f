"""Core: what several parts of the book share."""
