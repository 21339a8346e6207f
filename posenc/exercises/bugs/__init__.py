"""Exercises of the labs of bugs: ten mistakes that were found in the wild, one to repair in each.

The bug of a lab is the `wrong` of the first property, so that property is the one that tells
of it; the others are failed by repairs that go wrong in their turn.
"""

from posenc.exercises.bugs.batches import AXES, PADDING
from posenc.exercises.bugs.layout import LAYOUT
from posenc.exercises.bugs.precision import PRECISION
from posenc.exercises.bugs.rotary import CACHE, SIGN
from posenc.exercises.bugs.sinusoids import COSINE, PRECEDENCE
from posenc.exercises.bugs.slopes import NTK, SLOPES

EXERCISES = (
    PRECEDENCE,
    COSINE,
    SLOPES,
    NTK,
    SIGN,
    LAYOUT,
    PRECISION,
    PADDING,
    AXES,
    CACHE,
)
