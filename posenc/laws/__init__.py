"""Laws: properties of position codes, as functions that judge any encoding function.

A law is given a function, `encode(seq_len) -> table` of shape (L, d), and returns a
`Finding`. It looks at the rows that it asks for, and at no others: it finds a breach with
certainty, and holds for those rows alone. Scaling all entries by one number changes nothing.
Three laws judge scores instead, and are given a function of contents and positions.

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
    """Judge an encoding function by every law of tables, each with its default limit.

    Args:
        encode: The function to judge: takes a number of positions L, returns a table
            of shape (L, d), real, finite, one row for each position. Any callable, of
            this package or not; it is called sixteen times, with lengths of up to twice
            `seq_len`.
        seq_len: L, at least 16: how many positions are looked at. Time grows as L²·d.

    Returns:
        A `Finding` for each law, in this order: `unique`, `bounded`, `even_steps`,
        `smooth`, `same_at_every_length`, `extends`, `shift_linear`, `dot_by_offset`.

    Raises:
        TypeError: `encode` is not callable or returns no real numbers, or `seq_len` is
            not an integer.
        ValueError: `seq_len` is below 16, or what `encode` returns has another shape, is
            not finite, or has zeros in other places when it is asked again, as under dropout.

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
