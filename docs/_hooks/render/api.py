"""The API pages: where each module is documented, and entries of names that don't exist.

A module has a section with its name as id, `## Layouts { #layouts }`, and in it an entry for
each public name, `::: posenc.convert_layout`. The id of a module inside another has both names,
`{ #plots_waves }`; folders for a part of the book are left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from sybil import Document, Example, Region

from check.fences import INCLUDE, find_fences, keep_prose
from check.package import is_public, list_public_names
from check.page_source import read_outline
from check.paths import DOCS, ROOT
from check.problems import make_problem

FOLDER = DOCS / "reference/api"

BOOK_FOLDERS = (
    "core",
    "added",
    "relative",
    "limits",
    "positions",
)  # whose files have their own ids

SECTION = re.compile(r"^##? .+ \{ #(?P<id>\w+) \}$", re.MULTILINE)
ENTRY = re.compile(r"^::: (?P<name>\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """A module on an API page."""

    page: Path
    id: str
    names: tuple[str, ...]


def list_sections() -> list[Section]:
    """Return the sections of all API pages."""
    pages = sorted(FOLDER.glob("*.md"))
    return [section for page in pages for section in find_sections(page, read_outline(page))]


@lru_cache(maxsize=64)
def find_sections(page: Path, text: str) -> tuple[Section, ...]:
    """Return the sections of one API page, with the names that each has entries for."""
    headings = list(SECTION.finditer(text))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    sections = []
    for heading, end in zip(headings, ends, strict=True):
        names = tuple(entry["name"] for entry in ENTRY.finditer(text, heading.end(), end))
        sections.append(Section(page, heading["id"], names))
    return tuple(sections)


def map_sections() -> dict[str, str]:
    """Return where each section is, as seen from the API's folder, by its id."""
    return {section.id: f"{section.page.name}#{section.id}" for section in list_sections()}


def find_section_link(module: str, where: Mapping[str, str]) -> str:
    """Return where a file of the package is documented, among all `places`.

    A file inside a module has a section of its own, or else belongs to that module's.
    """
    parts = [part.removesuffix(".py").lstrip("_") for part in Path(module).parts[1:]]
    if parts[0] in BOOK_FOLDERS:
        parts = parts[1:]
    for name in ("_".join(parts), parts[0]):
        if name in where:
            return where[name]
    raise ValueError(
        f"no page of {FOLDER.name}/ has a section for {module}: {{ #{parts[0]} }}; "
        "put such a heading on one, and ::: posenc.name under it for each public name"
    )


def parse(document: Document) -> Iterator[Region]:
    """Yield each entry of an API page: its name must be there."""

    def lookup(example: Example) -> str | None:
        name: str = example.parsed
        if is_public(name):
            return None
        near = get_close_matches(name, list_public_names(), n=1)
        return f"::: {name}: not public in posenc" + "".join(f"; perhaps {n}" for n in near)

    for match in ENTRY.finditer(keep_prose(document.text)):
        yield Region(match.start(), match.end(), match["name"], lookup)
    shown = [(fence.start, INCLUDE.fullmatch(fence.source)) for fence in find_fences(document.text)]
    where = map_sections() if any(include for _, include in shown) else {}
    for start, include in shown:
        if include and include["path"].startswith("posenc/") and (ROOT / include["path"]).is_file():
            try:
                find_section_link(include["path"], where)
            except ValueError as error:
                yield make_problem(start, str(error))


def replace_unknown_entries(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield for each entry of an API page that is not there its name alone.

    It has been complained of, and would stop the build before all is told that does not hold.
    """
    for match in ENTRY.finditer(keep_prose(text)):
        if not is_public(match["name"]):
            yield *match.span(), f"`{match['name']}`"
