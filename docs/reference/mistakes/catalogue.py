"""The catalogue of mistakes: wrong functions, where they were seen, and how judges explain them.

Each mistake has the right function that differs only in this mistake. The same judge must accept
the right function and reject the wrong one. The page *Mistakes we have seen* lists the catalogue;
`docs/_hooks/render/mistakes.py` reads these files without running them, and
`tests/package/judging/test_catalogue.py` checks every entry.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes

import posenc
from posenc import laws

BFLOAT16: Any = ml_dtypes.bfloat16


@dataclass(frozen=True)
class Verdict:
    """Whether a judge accepts a function, its words, and the index of the first wrong entry."""

    accepted: bool
    words: str
    first: tuple[int, ...] | None = None


Judge = Callable[[Any], Verdict]


@dataclass(frozen=True)
class Mistake:
    """A wrong function, the right one, the judge of both, and what it says of the wrong one."""

    section: str  # of the page
    judge: Judge
    right: Any
    wrong: Any
    seen: str
    first: tuple[int, ...] | None
    message: str

    @property
    def name(self) -> str:
        """The name of the wrong function."""
        return str(self.wrong.__name__)


MISTAKES: list[Mistake] = []


def mistake(
    section: str,
    judge: Judge,
    *,
    right: Any,
    seen: str,
    message: str,
    first: tuple[int, ...] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a wrong function to the catalogue. Its docstring says what is wrong.

    `seen` is the thread where somebody reported the mistake, as owner/name#number, or else the
    library or the kind of code that has it. `first` is the index of the first wrong entry, and
    `message` is a line of what the judge says.
    """

    def add(wrong: Callable[..., Any]) -> Callable[..., Any]:
        MISTAKES.append(Mistake(section, judge, right, wrong, seen, first, message))
        return wrong

    return add


def compared(reference: Any, **options: Any) -> Judge:
    """Return a judge that accepts what `posenc.compare` finds equal to a reference."""

    def judge(thing: Any) -> Verdict:
        comparison = posenc.compare(thing, reference, **options)
        return Verdict(bool(comparison), comparison.explanation or "", comparison.first)

    return judge


def identified(options: dict[str, Any] | None = None, **expected: Any) -> Judge:
    """Return a judge that accepts what `posenc.identify` finds to have the expected attributes."""

    def judge(thing: Any) -> Verdict:
        found = posenc.identify(thing, **(options or {}))
        accepted = all(getattr(found, name) == value for name, value in expected.items())
        return Verdict(accepted, str(found))

    return judge


def keeps(law: Callable[..., laws.Finding], *arguments: Any, **options: Any) -> Judge:
    """Return a judge that accepts functions that keep a law."""

    def judge(thing: Any) -> Verdict:
        finding = law(thing, *arguments, **options)
        return Verdict(finding.holds, finding.cause or "")

    return judge
