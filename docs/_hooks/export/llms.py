"""The book for language models: llms.txt, a list of pages in plain Markdown, and all in one.

The form is that of https://llmstxt.org: a title, a summary, and sections of links.
"""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from check.page_source import get_front_matter, read_page
from render.navigation import NavPage

ABOUT = """\
Every equation of the book is stated, implemented and verified in one place; the answers \
behind `>>>` prompts were checked when these files were made.
Formulas are LaTeX between dollar signs. Equations have numbers such as (6.1), by chapter.
Each page below is plain Markdown; all of them in one file are in [llms-full.txt]({full}).
Each chapter and each lab is also there as a notebook (`.ipynb`) and a script (`.py`) beside \
its `.md`.
"""


@dataclass(frozen=True)
class Site:
    """The name of the site, what it is for, and its address, with a slash behind it, or nothing."""

    name: str
    summary: str
    address: str


def render_index(site: Site, places: list[NavPage]) -> str:
    """Return llms.txt."""
    about = ABOUT.format(full=f"{site.address}llms-full.txt")
    lines = [f"# {site.name}", "", f"> {site.summary}", "", about]
    for section, pages in groupby(places, lambda place: place.section):
        lines += [f"## {section or 'Start'}", ""]
        for page in pages:
            said = get_front_matter(read_page(page.path))
            link = f"[{page.title or said.get('title')}]({site.address}{page.uri})"
            lines.append(f"- {link}: {said.get('description')}")
        lines.append("")
    return "\n".join(lines)


def join_pages(site: Site, places: list[NavPage], texts: dict[str, str]) -> str:
    """Return llms-full.txt: the pages in the order of the navigation, but for those that fail."""
    return "\n".join(
        f"---\n\nPage: {site.address}{page.uri}\n\n{texts[page.uri]}"
        for page in places
        if page.uri in texts
    )


def write_files(folder: Path, site: Site, places: list[NavPage], texts: dict[str, str]) -> None:
    """Write both into the folder of the site; `texts` are the pages as plain Markdown."""
    (folder / "llms.txt").write_text(render_index(site, places), "utf-8")
    (folder / "llms-full.txt").write_text(join_pages(site, places, texts), "utf-8")
