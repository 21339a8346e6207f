"""Laws: properties of positional encodings, as functions that test any encoding function.

A law takes a function, `encode(seq_len) -> table` of shape (L, d), and returns a `Finding`.
It tests only the rows of these tables: a violation is certain, but that a law holds is known
only for these rows. A factor common to all entries doesn't matter. Three laws test scores
instead, and take a function of contents and positions.

Letters in this module
    L  positions in a table (seq_len)    d  channels
"""

from posenc.laws.finding import Encode, Finding
from posenc.laws.lengths import bounded, extends, same_at_every_length
from posenc.laws.rows import dot_by_offset, even_steps, shift_linear, smooth, unique
from posenc.laws.scores import cached_equals_full, equal_offsets, sees_position

__all__ = [
    "Finding",
    "bounded",
    "cached_equals_full",
    "check",
    "dot_by_offset",
    "equal_offsets",
    "even_steps",
    "extends",
    "same_at_every_length",
    "sees_position",
    "shift_linear",
    "smooth",
    "unique",
]


def check(encode: Encode, seq_len: int = 512) -> tuple[Finding, ...]:
    """Test an encoding function by every law of tables, each with its default limit.

    Args:
        encode: The function to judge: takes a number of positions L, returns a table
            of shape (L, d), real, finite, one row for each position. Any
            callable; it is called sixteen times, with lengths of up to twice
            `seq_len`.
        seq_len: L, at least 16: the number of positions. Time grows as L²·d.

    Returns:
        A `Finding` for each law, in this order: `unique`, `bounded`, `even_steps`,
        `smooth`, `same_at_every_length`, `extends`, `shift_linear`, `dot_by_offset`.

    Raises:
        TypeError: `encode` is not callable or returns no real numbers, or `seq_len` is
            not an integer.
        ValueError: `seq_len` is below 16, or what `encode` returns has another shape, is
            not finite, or has zeros in other entries at a second call, as under dropout.

    Source:
        Definitions of this book.

    Examples:
        >>> from posenc import laws, sinusoidal_positional_encoding
        >>> findings = laws.check(lambda seq_len: sinusoidal_positional_encoding(seq_len, 64))
        >>> all(finding.holds for finding in findings)
        True
        >>> findings = laws.check(lambda seq_len: [[p] for p in range(seq_len)])
        >>> [finding.law for finding in findings if not finding.holds]
        ['bounded', 'shift_linear', 'dot_by_offset']
    """
    laws = (
        unique,
        bounded,
        even_steps,
        smooth,
        same_at_every_length,
        extends,
        shift_linear,
        dot_by_offset,
    )
    return tuple(law(encode, seq_len) for law in laws)
