"""The register: the page that lists all equations, with the sections that rely on them."""

from collections.abc import Mapping
from os.path import relpath
from pathlib import Path

from check.cards import Entry
from check.paths import DOCS
from formula_check.letters import read_statement_letters
from render import api, backlinks
from render.backlinks import Use

EQUATIONS = DOCS / "reference/equations.md"
MARK = "<!-- equations -->"


def link_module(module: str, links: Mapping[str, str]) -> str:
    """Return the link to the documentation of a file, among the links to sections."""
    try:
        return api.find_section_link(module, links)
    except ValueError:  # reported on the page that includes the file
        return "index.md"


def describe_coverage(entries: Mapping[str, Entry]) -> str:
    """Return a sentence on how many displayed formulas are checked numerically."""
    unsupported = sum(bool(read_statement_letters(name).unsupported) for name in entries)
    return (
        f"The formulas of {len(entries) - unsupported} of {len(entries)} statements are "
        "computed as they are displayed, so a misprint stops the build. The others are about "
        "expected values or limits, or they are in words."
    )


def render_register(entries: dict[str, Entry], page: Path, uses: Mapping[str, list[Use]]) -> str:
    """Return the list of all equations for the page of the register, folded by chapter."""
    chapters: dict[str, list[Entry]] = {}
    for entry in entries.values():
        chapters.setdefault(entry.chapter, []).append(entry)
    links = api.map_sections()
    lines = [describe_coverage(entries), ""]
    for title, group in chapters.items():
        count = f"{len(group)} equations" if len(group) > 1 else "1 equation"
        lines += [
            f"## [{title}]({relpath(group[0].equation.page, page.parent)})",
            "",
            f"/// register | {count}",
            *(_render_entry(entry, page, uses, links) for entry in group),
            "///",
            "",
        ]
    return "\n".join(lines)


def _render_entry(
    entry: Entry, page: Path, uses: Mapping[str, list[Use]], section_links: Mapping[str, str]
) -> str:
    equation = entry.equation
    modules = dict.fromkeys(equation.implementations)
    links = [f"[`{module}`](api/{link_module(module, section_links)})" for module in modules]
    support = f"Implemented in {' and '.join(links)}" if links else "Proved line by line"
    if equation.source:
        support = f"Definition: {equation.source}. {support}"
    verified = f"[stated and verified]({entry.link(page)})"
    lines = [
        f"### ({entry.number}) {equation.name} {{ #entry-{equation.id} }}",
        "",
        *(f"$$\n{formula}\n$$\n" for formula in equation.formulas),
        f"{support}; {verified} on every build.",
        "{ .provenance }",
        "",
        backlinks.render_equation_backlinks(equation, uses.get(equation.id, []), page),
    ]
    return "\n".join(lines)
