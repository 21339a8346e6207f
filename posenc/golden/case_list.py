"""Cases: each array of each type with all that is said of it."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.golden.exact import EXACT
from posenc.golden.families import EXACTLY, FAMILIES, Exact
from posenc.golden.formats import FORMATS, rounded


@dataclass(frozen=True)
class Case:
    """One golden array.

    Args:
        name: Of what is computed, `rotation-half-64`, the same for all types.
        family: `sinusoidal`, `inverse-frequencies`, `rotation`, `scaling`, `alibi`, `t5` or
            `grid`.
        equations: Ids of the equations of the book that define the numbers.
        parameters: What the numbers are for: positions, widths, base, layout, config.
        dtype: float64, float32, float16, bfloat16, or int32 for buckets.
        array: The numbers, little-endian; bfloat16 as its 16 bits, uint16.
        tolerance: For each index of the first axis, how far any entry of a right port may
            be from the golden one, if it computes angles in float64. Units of the array;
            None where anything would pass.
        tolerance_float32: The same for angles in float32; None for float64 and integers.
        why: Where the tolerance comes from, with t and u as in `posenc.golden`.

    Raises:
        TypeError: A field is missing.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import golden
        >>> case = golden.cases("t5")[0]
        >>> case.name, case.dtype, len(case.sha256)
        ('t5-bidirectional-32-128', 'int32', 64)
    """

    name: str
    family: str
    equations: tuple[str, ...]
    parameters: Mapping[str, Any]
    dtype: str
    array: NDArray[Any]
    tolerance: tuple[float | None, ...]
    tolerance_float32: tuple[float | None, ...] | None
    why: str

    @property
    def key(self) -> str:
        """Name and type, as in the archive: `rotation-half-64.float32`."""
        return f"{self.name}.{self.dtype}"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the raw bytes, row by row."""
        return hashlib.sha256(self.array.tobytes()).hexdigest()


def cases(family: str | None = None) -> tuple[Case, ...]:
    """Return the golden arrays of one family, or of all.

    Args:
        family: `"sinusoidal"`, `"inverse-frequencies"`, `"rotation"`, `"scaling"`, `"alibi"`,
            `"t5"` or `"grid"`. None: all, in this order.

    Returns:
        A `Case` for each array and type: float64, float32, float16 and bfloat16, each
        correctly rounded, to nearest, ties to even, from the exact number; int32 for `"t5"`.
        The bytes are the same on every machine.

    Raises:
        TypeError: `family` is not a string.
        ValueError: `family` is unknown.

    Source:
        The equations that each case names. Deviation: none; numbers have 80 digits until
        they are rounded.

    Examples:
        >>> from posenc import golden
        >>> slopes = {case.key: case.array for case in golden.cases("alibi")}
        >>> slopes["alibi-slopes-8.float64"][:3].tolist()
        [0.5, 0.25, 0.125]
        >>> [hex(bits) for bits in slopes["alibi-slopes-8.bfloat16"][:3]]
        ['0x3f00', '0x3e80', '0x3e00']
    """
    wanted = list(FAMILIES)
    if family is not None:
        wanted = [checks.choice("family", family, tuple(FAMILIES))]
    with localcontext(EXACT):
        return tuple(
            case for name in wanted for exact in FAMILIES[name]() for case in _typed(name, exact)
        )


def _typed(family: str, exact: Exact) -> Iterator[Case]:
    about = exact.name, family, exact.equations, exact.parameters
    if exact.margin is None:
        integers = np.asarray(exact.values, dtype="<i4")
        yield Case(*about, "int32", integers, (0.0,) * len(integers), None, EXACTLY)
        return
    for dtype in FORMATS:
        wide = exact.margin.rows(dtype, "float64")
        narrow = None if dtype == "float64" else exact.margin.rows(dtype, "float32")
        array = rounded(exact.values, dtype)
        yield Case(*about, dtype, array, wide, narrow, exact.margin.why)
