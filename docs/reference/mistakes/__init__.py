"""Mistakes we have seen: the catalogue behind the page of this name."""

from docs.reference.mistakes import biases, decoding, rotations, scaling, tables
from docs.reference.mistakes.catalogue import MISTAKES, Mistake

__all__ = ["MISTAKES", "Mistake", "biases", "decoding", "rotations", "scaling", "tables"]
