"""All exercises by name, and the check of an answer.

A chapter's module is found by being there; it lists its exercises as `EXERCISES`.
"""

import importlib
import pkgutil
from difflib import get_close_matches
from functools import lru_cache

import posenc.exercises
from posenc.exercises.exercise import Answer, Exercise, Report
from posenc.exercises.judging import judge_answer


def check(name: str, answer: Answer) -> Report:
    """Judge an answer to an exercise, property by property.

    Args:
        name: Name of the exercise: a chapter, and easy, medium or hard, "relative-easy"; or
            that of a bug in a lab, "bug-table".
        answer: Your function. What it takes and returns, the exercise says.

    Returns:
        A `Report`: `holds` says whether the answer has all properties. What is shown names
        the first one that fails, what was found and what was expected. A hint names the
        mistake if the answer returns the same as a known wrong one for all calls of the
        check; otherwise the last call is shown. An answer that raises an exception, returns
        another type, or calls what its exercise forbids has failed. A property is judged by
        examples: a report finds a fault with certainty, and holds for those examples alone.

    Raises:
        TypeError: `answer` is not callable, or `name` is not a string.
        ValueError: No exercise has this name; the message has the nearest one.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import exercises
        >>> def mine(pe):
        ...     products = pe @ pe.T
        ...     return [sum(products.diagonal(k)) / len(pe) for k in range(len(pe))]
        >>> exercises.check("relative-easy", mine)
        relative-easy: 1 of 3 properties hold
          fails: mean of the pairs
          at distance 1: found 0.6, expected 0.9
          hint: the sum was divided by L; of L rows, only L - k have another k further.
          fails, too: dot products
    """
    exercise = find(name)
    if not callable(answer):
        raise TypeError(f"answer must be callable, got answer={answer!r}")
    return judge_answer(exercise, answer)


def find(name: str) -> Exercise:
    """Return the exercise of a name.

    Args:
        name: Name of the exercise, as in `check`.

    Returns:
        The `Exercise`, with what it asks, its properties and a solution.

    Raises:
        TypeError: `name` is not a string.
        ValueError: No exercise has this name; the message has the nearest one.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import exercises
        >>> try:
        ...     exercises.find("relative-mediun")
        ... except ValueError as error:
        ...     print(error)
        no exercise has name='relative-mediun'; perhaps 'relative-medium'
    """
    return _exercises()[_known("exercise", "name", name, tuple(_exercises()))]


def names(chapter: str | None = None) -> tuple[str, ...]:
    """Return the names of all exercises, or of those of a chapter.

    Args:
        chapter: Name of a chapter, as in the address of its page, or "bug" for those of the
            labs of bugs; None for all.

    Returns:
        Names for `check`, by chapter in alphabetical order, and each easy, medium, hard;
        those of bugs in the order of the labs.

    Raises:
        TypeError: `chapter` is not a string or None.
        ValueError: No chapter with exercises has this name; the message has the nearest one.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import exercises
        >>> exercises.names("relative")
        ('relative-easy', 'relative-medium', 'relative-hard')
    """
    if chapter is not None:
        chapters = tuple(dict.fromkeys(name.rpartition("-")[0] for name in _exercises()))
        _known("chapter", "chapter", chapter, chapters)
    return tuple(name for name in _exercises() if chapter in (None, name.rpartition("-")[0]))


def _known(what: str, argument: str, value: object, known: tuple[str, ...]) -> str:
    """Return value, which must be one of those that are known."""
    if not isinstance(value, str):
        raise TypeError(f"{argument} must be a string, got {argument}={value!r}")
    if value not in known:
        near = get_close_matches(value, known, n=1, cutoff=0)[0]
        raise ValueError(f"no {what} has {argument}={value!r}; perhaps {near!r}")
    return value


@lru_cache(maxsize=1)
def _exercises() -> dict[str, Exercise]:
    """Return all exercises; their modules are loaded here, when first asked for."""
    found: dict[str, Exercise] = {}
    for module in sorted(name for _, name, _ in pkgutil.iter_modules(posenc.exercises.__path__)):
        chapter = importlib.import_module(f"posenc.exercises.{module}")
        found |= {exercise.name: exercise for exercise in getattr(chapter, "EXERCISES", ())}
    return found
