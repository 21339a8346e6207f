"""Identity: what a table, a turn or a bias was found to be, and how that was verified."""

from dataclasses import dataclass

KINDS = ("sinusoidal", "rotary", "alibi", "t5", "relative", "unknown")

NAMES = {
    "paper": "exponent 2i/d",
    "tensor2tensor": "exponent i/(d/2-1)",
    "next even": "exponent 2i/(d+1)",
    "head_dim": "exponent 2i/head_dim, all channels of the head counted",
}


@dataclass(frozen=True)
class Identity:
    """What `identify` found; `str` says it in plain words.

    Attributes:
        kind: `"sinusoidal"`, `"rotary"`, `"alibi"`, `"t5"`, `"relative"` (a bias that
            depends on the offset alone and is none of these), or `"unknown"`. All but the
            last were computed anew and held against what was given.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_at` and `rotate_pairs`.
        first: Which of a pair comes first, `"sin"` or `"cos"`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`; `"next even"` for an
            odd number of channels with the frequencies of one more; `"head_dim"` for a
            partial rotation whose exponent counts all channels of a head.
        base: Above 1, or None where the frequencies follow no base, or show none.
        start: Position of the first row, or of what was handed in as position 0.
        step: Positions from a row to the next; 1 but for stretched or normalised ones.
        sign: 1, or -1 where angles run backwards.
        scale: Factor on all entries, `attention_factor` of a rotation.
        rotary_dim: How many channels turn, the first of each vector.
        passed: How many channels pass as they are before those that turn; 0 but for
            rotations of the last channels.
        inv_freq: The frequencies as measured, where they follow no base.
        form: Of a bias: `"causal"` (later keys hidden), `"symmetric"`, `"lower"` (zero
            for later keys), `"signed"` (rising where the other form falls), or `"key"`
            (of the key's position alone, equal to `"signed"` after softmax).
        slopes: Of ALiBi: for each head, by how much a score falls per position.
        slopes_rule: `"paper"` where they are those of `alibi_slopes`; `"geometric"` for
            2**(-8(h+1)/H) at every H; else what they are, in words, or None.
        row_constants: Whether each row of a bias has a constant of its own added, which
            softmax does not see.
        bidirectional: Of T5 buckets, as in `relative_position_bucket`.
        num_buckets: Likewise.
        max_distance: Likewise; the smallest usual one that fits.
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
        lines = [_SAYS[self.kind](self), *self.notes]
        if self.kind != "unknown":
            lines.append(
                f"Verified at {self.rows} {_LOOKED_AT[self.kind]}: at most {self.largest:.2g}"
                f" off, where {self.numbers} allows {self.limit:.2g}."
            )
        return "\n".join(lines)


_LOOKED_AT = {
    "sinusoidal": "rows",
    "rotary": "positions",
    "alibi": "offsets",
    "t5": "offsets",
    "relative": "offsets",
}


def conventions(found: Identity) -> dict[str, str]:
    """Return each convention of a found identity in words, by a short name."""
    said: dict[str, str] = {}
    if found.layout:
        said["layout"] = f"{found.layout} layout"
    if found.first and (found.kind == "sinusoidal" or found.first == "sin"):
        name = {"sin": "sine", "cos": "cosine"}[found.first]
        said["order"] = f"{name} first"
    if found.base is not None:
        said["base"] = f"base {_number(found.base)}"
        said["exponent"] = NAMES[found.exponent or "paper"]
    elif found.inv_freq:
        said["base"] = "frequencies that follow no base"
    if found.start is not None:
        said["start"] = f"first position {_number(found.start)}"
    if found.step != 1:
        said["step"] = f"steps of {_number(found.step)} positions"
    if found.sign != 1:
        said["sign"] = "angles running backwards"
    if found.scale != 1:
        said["scale"] = f"all entries times {_number(found.scale)}"
    if found.rotary_dim is not None and found.passed:
        said["rotary_dim"] = f"{found.rotary_dim} channels turned after {found.passed} that pass"
    elif found.rotary_dim is not None:
        said["rotary_dim"] = f"the first {found.rotary_dim} channels turned"
    if found.angles is not None:
        said["angles"] = f"angles in {found.angles}"
    return said


def _sinusoidal(found: Identity) -> str:
    return f"A sinusoidal table: {_listed(conventions(found))}."


def _rotary(found: Identity) -> str:
    return f"A rotary embedding: {_listed(conventions(found))}."


def _alibi(found: Identity) -> str:
    heads = len(found.slopes or ())
    rule = {
        "paper": "the slopes of the paper's authors",
        "geometric": "slopes 2**(-8(h+1)/H), right for powers of two alone",
        None: "slopes of no known rule",
    }.get(found.slopes_rule, f"slopes {found.slopes_rule}")
    word = "head" if heads == 1 else "heads"
    return f"An ALiBi bias of {heads} {word}: {rule}, {_FORMS[found.form or 'causal']}."


def _t5(found: Identity) -> str:
    direction = "both directions" if found.bidirectional else "past keys alone"
    return (
        f"A T5 bias: {found.num_buckets} buckets for {direction},"
        f" maximum distance {found.max_distance}."
    )


def _relative(found: Identity) -> str:
    said = (
        "A bias that depends on the offset alone, and is neither ALiBi nor T5;"
        f" {_FORMS[found.form or 'symmetric']}."
    )
    return said + _because(found)


def _unknown(found: Identity) -> str:
    said = "None of the encodings that posenc knows." + _because(found)
    if found.nearest:
        said += f"\nNearest: {found.nearest}"
        if found.first_difference:
            index, ours, theirs = found.first_difference
            place = "[" + ", ".join(str(number) for number in index) + "]"
            said += f".\nFirst different at {place}, {ours:.6g} in place of {theirs:.6g}"
        said += "."
    return said


def _because(found: Identity) -> str:
    if not found.cause:
        return ""
    return f"\nThese are the numbers of a known mistake: {found.cause}."


_SAYS = {
    "sinusoidal": _sinusoidal,
    "rotary": _rotary,
    "alibi": _alibi,
    "t5": _t5,
    "relative": _relative,
    "unknown": _unknown,
}

_FORMS = {
    "causal": "later keys hidden",
    "symmetric": "alike on both sides",
    "lower": "zero for later keys",
    "signed": "falling into the past and rising into the future",
    "key": "of the key's position alone",
    "asymmetric": "different on the two sides",
}


def _listed(said: dict[str, str]) -> str:
    return ", ".join(said.values())


def _number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e15 else f"{value:.6g}"
