"""The register: the page that lists all equations, with their numbers and who relies on them."""

from collections.abc import Mapping
from os.path import relpath
from pathlib import Path

from engine.places import DOCS
from engine.statements import Entry
from pages import api, backlinks, strength
from pages.backlinks import Use

EQUATIONS = DOCS / "reference/equations.md"
MARK = "<!-- equations -->"


def documented(module: str, places: Mapping[str, str]) -> str:
    """Return where a file is documented; where it is not, its page has said so."""
    try:
        return api.place(module, places)
    except ValueError:
        return "index.md"


def told(record: strength.Record | None) -> list[str]:
    """Return how strong a verification is, with the faults that it does not notice, folded."""
    if record is None or not record.faults:
        return []
    if not record.unnoticed:
        return [f"{record}.", "{ .provenance }", ""]
    lines = [f"/// details | {record}", "    type: strength", ""]
    for fault in record.unnoticed:
        place = f"`{fault['was']}` → `{fault['now']}` in `{fault['function']}`"
        noticed = "elsewhere on the page" if fault["elsewhere"] else "by nothing on the page"
        reason = f"; {fault['reason']}" if "reason" in fault else ""
        lines.append(f"- {place}, noticed {noticed}{reason}")
    return [*lines, "///", ""]


def listing(entries: dict[str, Entry], page: Path, uses: Mapping[str, list[Use]]) -> str:
    """Return the body of the page of equations, as Markdown."""
    lines: list[str] = []
    chapter, places, known = "", api.places(), strength.stored()
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
            *told(known.get(equation.id)),
            backlinks.relied_on(equation, uses.get(equation.id, []), page),
        ]
    return "\n".join(lines)
