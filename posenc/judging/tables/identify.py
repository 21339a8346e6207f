"""Identify a table: which conventions made its rows.

Letters in this module
    L  positions in a table    d  channels    z  pairs of channels as complex numbers
"""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, pair_channels
from posenc.judging import precision, waves
from posenc.judging.arrays import Array, choose_rows
from posenc.judging.identity import Identity, describe_conventions
from posenc.judging.tables import mistakes

Values = NDArray[np.float64]
Rows = NDArray[np.int64]

SIGNS = {  # (κ, σ): first of the pair, sign of the angles, sign of the scale
    (1j, -1): ("sin", 1, 1),
    (1j, 1): ("sin", -1, 1),
    (1 + 0j, 1): ("cos", 1, 1),
    (1 + 0j, -1): ("cos", -1, 1),
    (-1j, -1): ("sin", 1, -1),
    (-1j, 1): ("sin", -1, -1),
    (-1 + 0j, 1): ("cos", 1, -1),
    (-1 + 0j, -1): ("cos", -1, -1),
}


def identify_table(given: Array) -> Identity:
    """Return what a table (L, d) is."""
    rows = choose_rows(given.shape[0], given.shape[1])
    table = given.read_rows(rows)
    found = identify_rows(table, rows, given.dtype)
    if found.kind == "unknown" and given.shape[0] > 1 and given.shape[1] <= 2**14:
        turned = given.read_all().T if given.shape[0] <= 2**12 else None
        if turned is not None:
            other = identify_rows(turned, np.arange(len(turned)), given.dtype)
            if other.kind != "unknown":
                note = "It is transposed: rows are channels and columns are positions."
                return replace(other, notes=(note, *other.notes))
    return found


def identify_rows(table: Values, rows: Rows, dtype: str) -> Identity:
    """Return what some rows of a table are; `rows` are their numbers."""
    numbers = precision.find_narrowest_dtype(table, dtype)
    notes: list[str] = []
    empty = ~table.any(axis=1)
    if 0 < empty.sum() <= 2 < len(rows) - empty.sum():
        listed = " and ".join(str(row) for row in rows[empty])
        word = "Row" if empty.sum() == 1 else "Rows"
        verb = "is" if empty.sum() == 1 else "are"
        notes.append(f"{word} {listed} {verb} zero, as for padding, and ignored.")
        table, rows = table[~empty], rows[~empty]
    table, last = _split_last_channel(table, notes)
    best: tuple[str, waves.Fit] | None = None
    d = table.shape[1]
    about = {"dtype": dtype, "numbers": numbers, "rows": len(rows)}
    if d and len(rows) > 1:
        for layout in LAYOUTS if d > 2 else LAYOUTS[:1]:
            first, second = pair_channels(d, layout)
            z = table[:, first] + 1j * table[:, second]
            fit = waves.fit_waves(z, rows, numbers, _list_exponents(d, last is not None))
            if fit is None:
                continue
            if fit.holds and (last is None or _fits_last(fit, last, rows, numbers)):
                return name_conventions(fit, layout, tuple(notes), about)
            if best is None or fit.breaches < best[1].breaches:
                best = layout, fit
    unknown = _describe_unknown(table, rows, numbers, best, tuple(notes), about)
    if unknown.cause is None and np.array_equal(rows, np.arange(len(rows))):
        return replace(
            unknown, cause=_explain_clamping(table, dtype) or _explain_repetition(table, dtype)
        )
    return unknown


def _explain_clamping(table: Values, dtype: str) -> str | None:
    """Return where positions are clamped, so that all later rows are equal, in words, or None."""
    same = (table == table[-1]).all(axis=1)
    last = len(same) - int(np.argmin(same[::-1]))  # the first row of those at the end
    if not 2 < last < len(table) - 1 or same.all():
        return None
    head = table[: last + 1]
    if identify_rows(head, np.arange(len(head)), dtype).kind == "unknown":
        return None
    return f"all rows from {last} on are equal: positions are clamped to {last}"


def _explain_repetition(table: Values, dtype: str) -> str | None:
    """Return after how many rows positions begin again, in words, or None."""
    for n in np.flatnonzero((table[2:-2] == table[0]).all(axis=1)) + 2:
        if np.array_equal(table[n:], table[:-n]):
            once = identify_rows(table[:n], np.arange(n), dtype)
            return None if once.kind == "unknown" else f"positions start again after {n} rows"
    return None


def _split_last_channel(table: Values, notes: list[str]) -> tuple[Values, Values | None]:
    """Return a table with an even number of channels, and a lone last channel if there is one."""
    if table.shape[1] % 2 == 0 or table.shape[1] < 3:
        return table, None
    if not table[:, -1].any():
        notes.append("The last of an odd number of channels is zero, and ignored.")
        return table[:, :-1], None
    return table[:, :-1], table[:, -1]


def _list_exponents(d: int, odd: bool) -> dict[str, float]:
    """Return what the index of a pair is divided by, for each exponent."""
    if odd:  # the paper's formula, with the number of channels or with one more
        return {"paper": (d + 1) / 2, "next even": (d + 2) / 2}
    if d == 2:
        return {"paper": 1}
    return {"paper": d / 2, "tensor2tensor": max(d / 2 - 1, 1)}


def _fits_last(fit: waves.Fit, last: Values, rows: Rows, numbers: str) -> bool:
    """Return whether a lone last channel is the sine of one pair more."""
    if fit.base is None or fit.exponent is None:
        return False
    steps = _list_exponents(2 * len(fit.frequencies), True)[fit.exponent]
    omega = np.array([fit.base ** (-len(fit.frequencies) / steps)])
    positions = fit.start + fit.step * rows.astype(np.float64)
    expected = fit.scale * np.sin(positions * omega)
    allowed = precision.bound_angle_error(positions, omega, fit.angles)[:, 0]
    limit = precision.bound_entry_error(expected, allowed, numbers, fit.angles, fit.scale)
    return bool((abs(last - expected) <= limit).all())


def name_conventions(
    fit: waves.Fit, layout: str, notes: tuple[str, ...], about: dict[str, object]
) -> Identity:
    """Return the identity of a table with waves in a layout."""
    first, sign, of_scale = SIGNS[fit.factor, fit.direction]
    free = None
    if fit.base is None and (len(fit.frequencies) > 1 or abs(fit.frequencies[0] - 1) > 1e-3):
        free = tuple(float(w) for w in fit.frequencies)
    return replace(
        Identity("sinusoidal", **about),  # type: ignore[arg-type]
        layout=layout,
        first=first,
        exponent=fit.exponent if fit.base is not None else None,
        base=fit.base,
        start=fit.start,
        step=fit.step,
        sign=sign,
        scale=of_scale * fit.scale,
        inv_freq=free,
        angles=fit.angles,
        largest=fit.largest,
        limit=fit.limit,
        rows=fit.row_count,
        notes=(*notes, *describe_oddities(fit)),
    )


def describe_oddities(fit: waves.Fit) -> tuple[str, ...]:
    """Return what is unusual about fitted waves, a sentence each."""
    oddities = []
    if fit.rounded:
        what = " and ".join(fit.rounded)
        oddities.append(
            f"{what.capitalize()} were rounded to {fit.angles}, so far positions collide."
        )
    n = len(fit.frequencies)
    if fit.exponent == "paper" and n > 2:
        if fit.base == 1e8:
            oddities.append("The same as base 10000 with a doubled exponent, 4i/d.")
        elif fit.base == 100:
            oddities.append("The same as base 10000 with half the exponent, i/d.")
        elif fit.base is not None and (widths := _find_width_factor(fit.base)) is not None:
            oddities.append(
                f"The same as base 10000 with exponent 2i/({widths}d), which divides by the width"
                f" of {widths} heads instead of one."
            )
        elif fit.base is not None and (log := _name_logarithm(fit.base)):
            oddities.append(f"The same as {log} in place of the natural logarithm.")
        elif fit.base is not None and (power := _name_power_of_e(fit.base, n)):
            oddities.append(
                f"Each frequency is the previous one divided by {power}, as if the factor in the"
                " exponent had been rounded down to -1."
            )
        if fit.base is not None and abs(fit.step * fit.base ** (1 / n) - 1) < 1e-6:
            oddities.append("The same as counting pairs from 1 instead of 0 in the exponent.")
    if fit.base is None and n > 1 and np.ptp(fit.frequencies) <= 1e-6 * fit.frequencies.max():
        oddities.append("All pairs have the same frequency.")
    return tuple(oddities)


def _name_power_of_e(base: float, n: int) -> str | None:
    """Return which power of e lies between n frequencies, if it is the first or the second."""
    step = math.log(base) / n
    return next((name for name, e in (("e", 1), ("e²", 2)) if abs(step - e) < 1e-6), None)


def _name_logarithm(base: float) -> str | None:
    """Return which logarithm of a usual base makes this one, or None."""
    for usual in (10000, 500000, 1000000):
        for name, log in (("log10", math.log10), ("log2", math.log2)):
            if math.isclose(base, math.exp(log(usual)), rel_tol=1e-6):
                return f"base {usual} with {name}"
    return None


def _find_width_factor(base: float) -> int | None:
    """Return by how much the width in the exponent of base 10000 was too large, if it was."""
    times = math.log(10000) / math.log(base)
    whole = round(times)
    return whole if 2 < whole <= 1024 and abs(times - whole) <= 1e-6 * whole else None


def _describe_unknown(
    table: Values,
    rows: Rows,
    numbers: str,
    best: tuple[str, waves.Fit] | None,
    notes: tuple[str, ...],
    about: dict[str, object],
) -> Identity:
    """Return the known mistake in a table that is unknown, and the table nearest to it."""
    cause = mistakes.find_mistake(table, rows, numbers)
    unknown = Identity("unknown", **about, notes=notes, cause=cause)  # type: ignore[arg-type]
    if table.shape[1] < 2:
        return unknown
    if best is None or best[1].first is None or 2 * best[1].breaches > table.size // 2:
        best = "interleaved", _fit_paper(table, rows, numbers)
    layout, fit = best
    difference = _find_first_difference(table, rows, layout, fit)
    if difference is None:
        return unknown
    words = ", ".join(describe_conventions(name_conventions(fit, layout, (), about)).values())
    return replace(unknown, nearest=f"a sinusoidal table, {words}", first_difference=difference)


def _fit_paper(table: Values, rows: Rows, numbers: str) -> waves.Fit:
    """Return how well the table of the paper fits."""
    first, second = pair_channels(table.shape[1], "interleaved")
    z = table[:, first] + 1j * table[:, second]
    n = z.shape[1]
    omega = 10000.0 ** -(np.arange(n) / n)
    paper = waves.Fit(omega, 10000.0, "paper", 0.0, 1.0, 1j, -1, 1.0, "")
    return waves.check_in_dtype(paper, z, rows, numbers, precision.get_angle_dtype(numbers))


def _find_first_difference(
    table: Values, rows: Rows, layout: str, fit: waves.Fit
) -> tuple[tuple[int, int], float, float] | None:
    """Return the index, the entry and the fitted entry of the first breach of a fit, or None."""
    if fit.first is None:
        return None
    row, pair = fit.first
    d = table.shape[1]
    channels = [range(d)[part][pair] for part in pair_channels(d, layout)]
    wave = fit.waves(rows[row : row + 1].astype(np.float64))[0, pair]
    fitted = wave.real, wave.imag
    first, second = (abs(table[row, c] - v) for c, v in zip(channels, fitted, strict=True))
    worse = int(second > first)
    channel = channels[worse]
    return (int(rows[row]), channel), float(table[row, channel]), float(fitted[worse])
