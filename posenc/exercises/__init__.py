"""Exercises: three for each chapter, and a check that says which property of an answer fails.

The exercises of a chapter are in the module of its name, `relative.py` for `relative.md`,
each with its properties, known mistakes, and a solution. Those of the
labs of bugs are in `bugs`; their names begin with "bug".
"""

from posenc.exercises.claims import verify
from posenc.exercises.exercise import Exercise, Property, Report
from posenc.exercises.registry import check, find, names

__all__ = ["Exercise", "Property", "Report", "check", "find", "names", "verify"]
