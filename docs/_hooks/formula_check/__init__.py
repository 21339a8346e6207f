"""Compute the displayed formulas of statements and proofs as they are printed.

A session compares code with code. This package checks the formula above it: `parse` turns its
MathML into a tree, `sample_points` draws values for its letters, and `evaluate` computes both
sides of each relation in the notation of the book (`notation`).
"""
