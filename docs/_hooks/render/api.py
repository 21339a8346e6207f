"""The API pages: find the section that documents a module, and check that every entry exists.

A module has a section whose id is its name, `## Layouts { #layouts }`. The section has an entry
for each public name, `::: posenc.convert_layout`. The id of a submodule has both names,
`{ #plots_waves }`, except in the folders that correspond to parts of the book.
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
from render.text_edits import Edit

FOLDER = DOCS / "reference/api"

# The folders for parts of the book: the id of a section leaves their names out.
SECTION = re.compile(r"^##? .+ \{ #(?P<id>\w+) \}$", re.MULTILINE)
ENTRY = re.compile(r"^::: (?P<name>\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """The section of an API page that documents a module, with the names it has entries for."""

    page: Path
    id: str
    names: tuple[str, ...]


def list_sections() -> list[Section]:
    """Return the sections of all API pages."""
    pages = sorted(FOLDER.glob("*.md"))
    return [section for page in pages for section in find_sections(page, read_outline(page))]


@lru_cache(maxsize=64)
def find_sections(page: Path, text: str) -> tuple[Section, ...]:
    """Return the sections of one API page, given its text."""
    headings = list(SECTION.finditer(text))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    sections = []
    for heading, end in zip(headings, ends, strict=True):
        names = tuple(entry["name"] for entry in ENTRY.finditer(text, heading.end(), end))
        sections.append(Section(page, heading["id"], names))
    return tuple(sections)


def map_sections() -> dict[str, str]:
    """Return a link to each section by its id, relative to the folder of the API pages."""
    return {section.id: f"{section.page.name}#{section.id}" for section in list_sections()}


def find_section_link(module: str, links: Mapping[str, str]) -> str:
    """Return the link to the section for a file of the package, among those of `map_sections`.

    A file without a section of its own is documented in the section of the module around it.
    """
    parts = Path(module).with_suffix("").parts[1:]
    for name in ("_".join(parts), parts[0]):
        if name in links:
            return links[name]
    raise ValueError(
        f"no page in {FOLDER.name}/ has a section for {module}; add a heading with the id "
        f"{{ #{'_'.join(parts)} }} and under it ::: posenc.name for each public name"
    )


def parse(document: Document) -> Iterator[Region]:
    """Yield each entry of an API page, and a problem for each included file without a section."""
    for match in ENTRY.finditer(keep_prose(document.text)):
        yield Region(match.start(), match.end(), match["name"], _check_entry)
    fences = find_fences(document.text)
    includes = [(fence.start, INCLUDE.fullmatch(fence.source)) for fence in fences]
    links = map_sections() if any(include for _, include in includes) else {}
    for start, include in includes:
        if include and include["path"].startswith("posenc/") and (ROOT / include["path"]).is_file():
            try:
                find_section_link(include["path"], links)
            except ValueError as error:
                yield make_problem(start, str(error))


def _check_entry(example: Example) -> str | None:
    name: str = example.parsed
    if is_public(name):
        return None
    similar = get_close_matches(name, list_public_names(), n=1)
    hint = f"; perhaps {similar[0]}" if similar else ""
    return f"::: {name}: posenc has no such public name{hint}"


def replace_unknown_entries(text: str) -> Iterator[Edit]:
    """Yield an edit for each entry without a public name: code instead of an entry.

    The check of the page has reported it. mkdocstrings would stop the build before the other
    problems are reported.
    """
    for match in ENTRY.finditer(keep_prose(text)):
        if not is_public(match["name"]):
            yield *match.span(), f"`{match['name']}`"
