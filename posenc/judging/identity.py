"""The result of `identify`: the conventions of a table, a rotation or a bias."""

import math
from dataclasses import dataclass

DEGREES = math.degrees(1)  # in a radian

KINDS = ("sinusoidal", "rotary", "frequencies", "alibi", "t5", "relative", "unknown")

NAMES = {
    "paper": "exponent 2i/d",
    "tensor2tensor": "exponent i/(d/2-1)",
    "next even": "exponent 2i/(d+1)",
    "head_dim": "exponent 2i/head_dim (over all channels of the head)",
}


@dataclass(frozen=True)
class Identity:
    """The result of `identify`, with a `str` in plain words.

    Attributes:
        kind: `"sinusoidal"`, `"rotary"`, `"frequencies"` (of a rotary embedding, on
            their own), `"alibi"`, `"t5"`, `"relative"` (a bias that depends only on the
            offset and is none of these), or `"unknown"`. All except the last have been
            computed by `posenc` and compared with what was given.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_at` and `rotate_pairs`.
        first: Which of a pair comes first, `"sin"` or `"cos"`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`; `"next even"` for an
            odd number of channels with the frequencies of one more; `"head_dim"` for a
            partial rotation whose exponent counts all channels of a head.
        base: Above 1, or None where the frequencies follow no base, or show none.
        scaling: The scaling rule of the frequencies, with settings of published models, in
            words, or None where the base explains them.
        start: Position of the first row, or of what the caller passes as position 0.
        step: Positions from a row to the next; 1 except for stretched or normalised ones.
        sign: 1, or -1 where angles run backwards.
        scale: Factor on all entries, `attention_factor` of a rotation.
        rotary_dim: How many channels rotate, the first of each vector.
        passed: How many unrotated channels precede those that rotate; 0 except for
            rotations of the last channels.
        inv_freq: The frequencies where they are not those of a base: as measured, or as
            the scaling rule gives them.
        form: Of a bias: `"causal"` (later keys hidden), `"symmetric"`, `"lower"` (zero
            for later keys), `"signed"` (rising where the other form falls), or `"key"`
            (of the key's position only, equal to `"signed"` after softmax).
        slopes: Of ALiBi: for each head, by how much a score falls per position.
        slopes_rule: `"paper"` where they are those of `alibi_slopes`; `"geometric"` for
            2**(-8(h+1)/H) at every H; else what they are, in words, or None.
        row_constants: Whether each row of a bias has a constant of its own added, which
            softmax does not see.
        bidirectional: Of T5 buckets, as in `relative_position_bucket`.
        num_buckets: The same.
        max_distance: The same; the smallest usual one that fits.
        dtype: Name of the dtype that came.
        numbers: Name of the narrowest dtype that holds every number that came.
        angles: Dtype of angles that explains the entries: `"float64"`, `"float32"`, or a
            narrower one, with which positions fall together; a note then says what was
            rounded.
        largest: Largest difference from `posenc`'s numbers, as a share of its limit the
            worst; nan where nothing was verified.
        limit: What the dtype allows at that entry.
        rows: How many rows, positions or offsets were looked at.
        notes: Further sentences: what was left out, what is unusual, what else fits.
        cause: A mistake that gives exactly these numbers, or None.
        nearest: Of something unknown: what comes nearest, in words, or None.
        first_difference: Of something unknown: (index, number given, number of the
            nearest), at the first entry beyond its limit, or None.

    Raises:
        TypeError: `kind` is missing.

    Source:
        Definition of this book.

    Examples:
        >>> import posenc
        >>> found = posenc.identify(posenc.sinusoidal_positional_encoding(64, 32))
        >>> found.kind, found.layout, found.exponent, found.base
        ('sinusoidal', 'interleaved', 'paper', 10000.0)
    """

    kind: str
    layout: str | None = None
    first: str | None = None
    exponent: str | None = None
    base: float | None = None
    scaling: str | None = None
    start: float | None = None
    step: float = 1.0
    sign: int = 1
    scale: float = 1.0
    rotary_dim: int | None = None
    passed: int = 0
    inv_freq: tuple[float, ...] | None = None
    form: str | None = None
    slopes: tuple[float, ...] | None = None
    slopes_rule: str | None = None
    row_constants: bool = False
    bidirectional: bool | None = None
    num_buckets: int | None = None
    max_distance: int | None = None
    dtype: str = "float64"
    numbers: str = "float64"
    angles: str | None = None
    largest: float = float("nan")
    limit: float = float("nan")
    rows: int = 0
    notes: tuple[str, ...] = ()
    cause: str | None = None
    nearest: str | None = None
    first_difference: tuple[tuple[int, ...], float, float] | None = None

    def __str__(self) -> str:
        lines = [_DESCRIBE[self.kind](self), *self.notes]
        if self.kind != "unknown":
            lines.append(
                f"Verified at {self.rows} {_UNITS[self.kind]}: at most {self.largest:.2g}"
                f" off, where {self.numbers} allows {self.limit:.2g}."
            )
        return "\n".join(lines)


_UNITS = {
    "sinusoidal": "rows",
    "rotary": "positions",
    "frequencies": "pairs",
    "alibi": "offsets",
    "t5": "offsets",
    "relative": "offsets",
}


def describe_conventions(found: Identity) -> dict[str, str]:
    """Return each convention of an identity in words, by a short name."""
    words: dict[str, str] = {}
    if found.layout:
        words["layout"] = f"{found.layout} layout"
    if found.first and (found.kind == "sinusoidal" or found.first == "sin"):
        name = {"sin": "sine", "cos": "cosine"}[found.first]
        words["order"] = f"{name} first"
    if found.base is not None:
        words["base"] = f"base {_format_number(found.base)}"
        words["exponent"] = NAMES[found.exponent or "paper"]
        if found.scaling:
            words["scaling"] = found.scaling
    elif found.inv_freq:
        words["base"] = "frequencies of no base"
    if found.start is not None:
        words["start"] = f"first position {_format_number(found.start)}"
    if found.step != 1:
        words["step"] = _describe_step(found.step)
    if found.sign != 1:
        rotary = found.kind == "rotary"
        words["sign"] = (
            "rotating in the opposite direction" if rotary else "angles of the opposite sign"
        )
    if found.scale != 1:
        name = "attention factor" if found.kind == "rotary" else "all entries times"
        words["scale"] = f"{name} {_format_number(found.scale)}"
    if found.rotary_dim is not None:
        first, last = found.passed, found.passed + found.rotary_dim
        which = f"channels {first} to {last - 1}" if first else f"the first {last} channels"
        words["rotary_dim"] = f"{which} rotated"
    if found.angles is not None:
        words["angles"] = f"angles in {found.angles}"
    return words


def _describe_step(step: float) -> str:
    """Return by how much positions are multiplied or divided, in words."""
    words = f"divided by {_format_number(1 / step)}"
    if step > 1:
        words = f"multiplied by {_format_number(step)}"
    for number, name in ((DEGREES, " (180/π, degrees for radians)"), (2 * math.pi, " (2π)")):
        if any(math.isclose(step, one, rel_tol=1e-6) for one in (number, 1 / number)):
            words += name
    return f"positions {words}"


def _describe_sinusoidal(found: Identity) -> str:
    return f"A sinusoidal table: {_join_conventions(describe_conventions(found))}."


def _describe_rotary(found: Identity) -> str:
    return f"A rotary embedding: {_join_conventions(describe_conventions(found))}."


def _describe_frequencies(found: Identity) -> str:
    return f"Rotary frequencies: {_join_conventions(describe_conventions(found))}."


def _describe_alibi(found: Identity) -> str:
    heads = len(found.slopes or ())
    rule = {
        "paper": "the slopes of the paper's authors",
        "geometric": "slopes 2**(-8(h+1)/H), right only for powers of two",
        None: "slopes of no known rule",
    }.get(found.slopes_rule, f"slopes {found.slopes_rule}")
    word = "head" if heads == 1 else "heads"
    return f"An ALiBi bias of {heads} {word}: {rule}, {_FORMS[found.form or 'causal']}."


def _describe_t5(found: Identity) -> str:
    direction = "both directions" if found.bidirectional else "past keys only"
    return (
        f"A T5 bias: {found.num_buckets} buckets for {direction},"
        f" maximum distance {found.max_distance}."
    )


def _describe_relative(found: Identity) -> str:
    words = (
        "A bias that depends only on the offset, and is neither ALiBi nor T5;"
        f" {_FORMS[found.form or 'symmetric']}."
    )
    return words + _describe_cause(found)


def _describe_unknown(found: Identity) -> str:
    words = "None of the encodings that posenc knows." + _describe_cause(found)
    if found.nearest:
        words += f"\nNearest: {found.nearest}"
        if found.first_difference:
            index, ours, theirs = found.first_difference
            place = "[" + ", ".join(str(number) for number in index) + "]"
            words += f".\nFirst different at {place}, {ours:.6g} instead of {theirs:.6g}"
        words += "."
    return words


def _describe_cause(found: Identity) -> str:
    if not found.cause:
        return ""
    return f"\nA known mistake gives exactly these numbers: {found.cause}."


_DESCRIBE = {
    "sinusoidal": _describe_sinusoidal,
    "rotary": _describe_rotary,
    "frequencies": _describe_frequencies,
    "alibi": _describe_alibi,
    "t5": _describe_t5,
    "relative": _describe_relative,
    "unknown": _describe_unknown,
}

_FORMS = {
    "causal": "later keys hidden",
    "symmetric": "the same on both sides",
    "lower": "zero for later keys",
    "signed": "falling into the past and rising into the future",
    "key": "of the key's position only",
    "asymmetric": "different on the two sides",
}


def _join_conventions(conventions: dict[str, str]) -> str:
    return ", ".join(conventions.values())


def _format_number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e15 else f"{value:.6g}"
