"""The register of equations: numbers from the order of the chapters, and the page of all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path

import api
import backlinks
import statements
from backlinks import Use
from fences import read
from kept import front
from statements import Equation

EQUATIONS = Path(__file__).resolve().parents[1] / "reference/equations.md"
MARK = "<!-- equations -->"


@dataclass
class Entry:
    """An equation with its number and the chapter that states it."""

    number: str
    equation: Equation
    chapter: str

    def link(self, page: Path) -> str:
        """Return the address of the statement, as seen from a page."""
        there = self.equation.page
        return f"{'' if there == page else relpath(there, page.parent)}#{self.equation.id}"


def register(chapters: Iterable[Path]) -> dict[str, Entry]:
    """Number the equations of the book; chapters are counted where they state any."""
    entries: dict[str, Entry] = {}
    count = 0
    for page in chapters:
        text = read(page)
        stated = list(statements.equations(page, text))
        count += bool(stated)
        title = front(text).get("title", page.stem)
        for place, equation in enumerate(stated, start=1):
            if equation.id in entries:
                raise ValueError(
                    f"{page.name}: the id {equation.id} is taken by "
                    f"{entries[equation.id].equation.page.name}; give it another"
                )
            entries[equation.id] = Entry(f"{count}.{place}", equation, title)
    return entries


def documented(module: str, places: Mapping[str, str]) -> str:
    """Return where a file is documented; where it is not, its page has said so."""
    try:
        return api.place(module, places)
    except ValueError:
        return "index.md"


def listing(entries: dict[str, Entry], page: Path, uses: Mapping[str, list[Use]]) -> str:
    """Return the body of the page of equations, as Markdown."""
    lines: list[str] = []
    chapter, places = "", api.places()
    for entry in entries.values():
        equation = entry.equation
        if entry.chapter != chapter:
            chapter = entry.chapter
            lines += [f"## [{chapter}]({relpath(equation.page, page.parent)})", ""]
        modules = dict.fromkeys(equation.implementations)
        links = [f"[`{module}`](api/{documented(module, places)})" for module in modules]
        verified = f"[stated and verified]({entry.link(page)})"
        lines += [
            f"### ({entry.number}) {equation.name} {{ #entry-{equation.id} }}",
            "",
            *(f"$$\n{formula}\n$$\n" for formula in equation.formulas),
            f"Implemented in {' and '.join(links)}; {verified} on every build.",
            "{ .provenance }",
            "",
            backlinks.relied_on(equation, uses.get(equation.id, []), page),
        ]
    return "\n".join(lines)
