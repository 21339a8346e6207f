"""Comparison: where two encodings differ, by how much, and which convention explains it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`: true where nothing differs, with a `str` in plain words.

    Attributes:
        equal: Whether all entries agree within what their dtype allows.
        first: Index of the first entry that does not, or None. Of a table (row, channel);
            of a bias (head, query, key); of a rotation (position, channel that comes
            out, channel that went in), or where `call` isn't None (position, channel) of
            vectors (L, d) and (sequence, head, token, channel) of vectors with more axes.
        given: The number there, or None.
        wanted: The number of the reference there, or None.
        largest: The largest difference, of entries beyond their limits if there are any.
        where: Index of the largest difference, or None.
        limit: What the dtype allows at that entry.
        dtype: Name of the dtype that the limits are for.
        compared: How many entries were compared.
        explanation: Which conventions or mistake make the difference, in words, or None
            where none was found. It is verified: with it, all numbers are explained.
        call: Which call of a rotation differs, in words, where that with unit vectors at
            all positions agrees: one with one token, a few tokens, or several sequences
            and heads. Otherwise None.

    Raises:
        TypeError: A field is missing.

    Source:
        Definition of this book.

    Examples:
        >>> import posenc
        >>> verdict = posenc.compare(
        ...     posenc.sinusoidal_positional_encoding(64, 8, start=1), "sinusoidal")
        >>> bool(verdict), verdict.first, verdict.explanation
        (False, (0, 0), 'first position 1 instead of 0')
    """

    equal: bool
    first: tuple[int, ...] | None
    given: float | None
    wanted: float | None
    largest: float
    where: tuple[int, ...] | None
    limit: float
    dtype: str
    compared: int
    explanation: str | None = None
    call: str | None = None

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.equal:
            return (
                f"Equal: {self.compared} entries, at most {self.largest:.2g} apart, where"
                f" {self.dtype} allows {self.limit:.2g}."
            )
        explanation = "No convention that posenc knows explains it."
        if self.explanation:
            explanation = f"What explains it: {self.explanation}."
        start = f"Different in a call {self.call}" if self.call else "Different"
        return (
            f"{start}: first at {_format_index(self.first)}, {self.given:.6g} instead of"
            f" {self.wanted:.6g}.\nMost at {_format_index(self.where)}, by {self.largest:.2g},"
            f" where {self.dtype} allows {self.limit:.2g}.\n{explanation}"
        )


def _format_index(index: tuple[int, ...] | None) -> str:
    return "[" + ", ".join(str(number) for number in index or ()) + "]"
