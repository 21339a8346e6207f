"""What an exercise is: a function to write, properties that it must have, and a solution.

Each is said once, and where it belongs. What is to be written, the solution says, by its
name, its arguments and the first line of its docstring. A property is a function that judges
an answer, under `@judges`, which names it and the mistake that it finds.

A property is judged by plain loops or an identity, through `differs`, which finds the first
place where the answer of the reader is not what it must be.
"""

import inspect
import reprlib
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.laws import Finding

Answer = Callable[..., Any]
Test = Callable[[Answer], str | None]

WIDTH = 80  # of a report, in characters: it fits the column of a page


class NoNumbers(Exception):  # noqa: N818  it is not an error of this package
    """What an answer returned cannot be compared with what was asked for."""


@dataclass(frozen=True)
class Property:
    """A property that an answer to an exercise must have.

    Args:
        name: Two or three words, "equal offsets".
        test: Takes the reader's function, and returns what is wrong with it: the first place,
            what was found and what was expected; None where the property holds.
        hint: The mistake of `wrong`, in a sentence. Only an answer that returns the same as
            `wrong` for all calls gets it.
        wrong: An answer with this mistake. Of the properties of the exercise, this is the
            first one that it fails.

    Raises:
        TypeError: A field is missing.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import exercises
        >>> first = exercises.find("relative-easy").properties[0]
        >>> first.name, first.test(lambda pe: pe @ pe[0])
        ('one for each distance', None)
    """

    name: str
    test: Test
    hint: str
    wrong: Answer


def judges(name: str, *, hint: str, wrong: Answer) -> Callable[[Test], Property]:
    """Make a test the property of this name; the arguments are the fields of a `Property`."""
    return lambda test: Property(name, test, hint, wrong)


@dataclass(frozen=True)
class Exercise:
    """An exercise: what is to be written, and how it is judged.

    Args:
        name: The chapter and how hard it is, "relative-easy", "relative-medium" or
            "relative-hard"; of a lab of bugs "bug" and which, "bug-table".
        solution: An answer that is right. Its name, its arguments and the first line of its
            docstring are what is asked for.
        properties: What an answer must fulfil, at least two, the most basic first.
        forbids: What an answer must not call: "posenc", or one of its functions; "" if it
            may call everything.

    Raises:
        TypeError: A field is missing.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import exercises
        >>> print(exercises.find("relative-easy").asks)
        mean_by_distance(pe): the mean dot product of rows 0, 1, 2, … apart, shape (L,)
    """

    name: str
    solution: Answer
    properties: tuple[Property, ...]
    forbids: str = ""

    @property
    def asks(self) -> str:
        """One line: the function to write, its arguments and what it returns."""
        arguments = inspect.signature(self.solution).parameters.values()
        plain = (each.replace(annotation=inspect.Parameter.empty) for each in arguments)
        says = (inspect.getdoc(self.solution) or "").partition("\n")[0]
        returned = says.removeprefix("Return ").removesuffix(".")
        return f"{self.solution.__name__}({', '.join(map(str, plain))}): {returned}"


@dataclass(frozen=True)
class Report:
    """What a check found; its `repr` is what a reader sees.

    Args:
        exercise: The exercise.
        findings: For each of its properties what is wrong with the answer, or None.
        hint: The mistake that the answer makes, if it is known, or "".
        call: The last call before the first failure, as code, or "".

    Raises:
        TypeError: A field is missing.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import exercises
        >>> exercises.check("relative-easy", lambda pe: (pe @ pe.T).mean(axis=0)).holds
        False
    """

    exercise: Exercise
    findings: tuple[str | None, ...]
    hint: str = ""
    call: str = ""

    @property
    def holds(self) -> bool:
        """Whether the answer has all properties."""
        return not any(self.findings)

    def __repr__(self) -> str:
        count = len(self.findings)
        lines = [f"{self.exercise.name}: {self.findings.count(None)} of {count} properties hold"]
        failed = [
            (asked, finding)
            for asked, finding in zip(self.exercise.properties, self.findings, strict=True)
            if finding
        ]
        if failed:  # what else fails mostly follows from the first
            asked, finding = failed[0]
            lines += [f"  fails: {asked.name}", *_folded(finding), *self._explain(finding)]
        lines += [f"  fails, too: {asked.name}" for asked, _ in failed[1:]]
        return "\n".join(lines)

    def _explain(self, finding: str) -> list[str]:
        """Return the lines below the first finding."""
        if self.hint:
            return _folded(f"hint: {self.hint}")
        lines = _folded(f"last call: {self.call}") if self.call else []
        if finding.startswith(("raised ", "returned ", "called ")):
            lines += _folded(f"asked for: {self.exercise.asks}")
        return lines


def copy_arrays(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arguments into which an answer may write: those of a property stay as they are."""
    return tuple(arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args)


def differs(
    found: Any, expected: Any, *, at: str = "", axes: tuple[str, ...] = (), within: float = 1e-9
) -> str | None:
    """Return the first place where two numbers or arrays differ by more than `within`.

    Another shape is no such place, but ends the property: the reader is told what is asked for.
    `at` says which case it is, "d_model=8"; `axes` what the indices are, ("position", "channel").
    """
    right = np.asarray(expected)
    try:
        mine = np.asarray(found)
    except ValueError:  # rows of different lengths
        mine = np.asarray(None)
    if mine.dtype.kind not in "biufc":
        what = f"numbers of shape {right.shape}" if right.ndim else "a number"
        raise NoNumbers(f"{reprlib.repr(found)}, expected {what}")
    if mine.shape != right.shape:
        case = f" at {at}" if at else ""
        raise NoNumbers(f"shape {mine.shape}{case}, expected shape {right.shape}")
    with np.errstate(invalid="ignore"):  # of two infinities, which are equal
        near = (mine == right) | (abs(mine * 1.0 - right * 1.0) <= within)
    if near.all():
        return None
    place = tuple(int(index) for index in np.argwhere(~near)[0])
    named = [*axes, *["index"] * len(place)][: len(place)]
    where = [at, *(f"{axis} {index}" for axis, index in zip(named, place, strict=True))]
    return _sentence(", ".join(filter(None, where)), *_written(mine[place], right[place]))


def unlike(found: Any, expected: Any, *, at: str = "") -> str | None:
    """Return both where they are not equal: words, tuples, and all that `differs` cannot take."""
    if type(found) is type(expected) and found == expected:
        return None
    return _sentence(at, reprlib.repr(found), reprlib.repr(expected))


def first(findings: Iterable[str | None]) -> str | None:
    """Return the first thing that is wrong, if there is one."""
    return next((finding for finding in findings if finding), None)


def by_law(finding: Finding) -> str | None:
    """Return what a law of `posenc.laws` found, if it does not hold."""
    if finding.holds:
        return None
    positions = ", ".join(str(position) for position in finding.where)
    side = "above" if finding.measured <= finding.limit else "at most"
    where = f"law {finding.law}, positions {positions}"
    return _sentence(where, f"{finding.measured:.3g}", f"{side} {finding.limit:.3g}")


def pairs(d_model: int = 8, base: float = 10000.0) -> NDArray[np.float64]:
    """Return the frequencies of the paper, one for each pair, by plain powers."""
    return np.array([base ** (-2 * i / d_model) for i in range(d_model // 2)])


def code(position: float, d_model: int = 8, base: float = 10000.0) -> NDArray[np.float64]:
    """Return the row of a position, interleaved, straight from the formula."""
    angles = pairs(d_model, base) * position
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).ravel()


def _sentence(at: str, found: str, expected: str) -> str:
    return (
        f"at {at}: found {found}, expected {expected}"
        if at
        else (f"found {found}, expected {expected}")
    )


def _written(found: Any, expected: Any) -> tuple[str, str]:
    """Return two numbers with four digits behind the point, or with as many as tell them apart."""
    for digits in range(4, 18):
        mine, right = _rounded(found, digits), _rounded(expected, digits)
        if mine != right:
            return mine, right
    return repr(found.item()), repr(expected.item())


def _rounded(number: Any, digits: int) -> str:
    value = number.item()
    if isinstance(value, bool | int):
        return str(value)
    return str(round(value, digits) + 0.0 if isinstance(value, float) else np.round(value, digits))


def _folded(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
