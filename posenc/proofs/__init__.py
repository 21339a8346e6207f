"""Proofs: both sides of a statement, compared over all that the statement speaks of.

A *domain* says which values a variable may have: it knows its edges, and draws the rest. Two
sides are functions of the same variables. Each comparison tries the corners of the domain
first and then points drawn from a fixed seed, so that it says the same on every machine.
"""

from posenc.proofs.chain import steps
from posenc.proofs.domains import (
    Domain,
    above,
    even,
    one_of,
    real,
    seed,
    whole,
)
from posenc.proofs.sides import everywhere, gap, share

__all__ = [
    "Domain",
    "above",
    "even",
    "everywhere",
    "gap",
    "one_of",
    "real",
    "seed",
    "share",
    "steps",
    "whole",
]
