"""The book for language models: llms.txt, a list of pages in plain Markdown, and llms-full.txt.

The format is that of https://llmstxt.org: a title, a summary, and sections of links.
"""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from check.page_source import get_front_matter, read_page
from render.navigation import NavPage

ABOUT = """\
Every equation of the book is stated, implemented and verified in one place; the answers \
behind `>>>` prompts were checked when these files were written.
Formulas are LaTeX between dollar signs. Equations have numbers such as (6.1), by chapter.
Each page below is plain Markdown; one file with all of them is [llms-full.txt]({full}).
Each chapter and each lab is also there as a notebook (`.ipynb`) and a script (`.py`), with the \
same address except for the suffix.
"""


@dataclass(frozen=True)
class Site:
    """The name, summary and address of the site; the address ends with a slash or is empty."""

    name: str
    summary: str
    address: str


def render_index(site: Site, pages: list[NavPage]) -> str:
    """Return llms.txt."""
    about = ABOUT.format(full=f"{site.address}llms-full.txt")
    lines = [f"# {site.name}", "", f"> {site.summary}", "", about]
    for section, group in groupby(pages, lambda page: page.section):
        lines += [f"## {section or 'Start'}", ""]
        for page in group:
            front = get_front_matter(read_page(page.path))
            link = f"[{page.title or front.get('title')}]({site.address}{page.uri})"
            lines.append(f"- {link}: {front.get('description')}")
        lines.append("")
    return "\n".join(lines)


def join_pages(site: Site, pages: list[NavPage], texts: dict[str, str]) -> str:
    """Return llms-full.txt: the pages in the order of the navigation; failing ones are left out."""
    return "\n".join(
        f"---\n\nPage: {site.address}{page.uri}\n\n{texts[page.uri]}"
        for page in pages
        if page.uri in texts
    )


def write_files(folder: Path, site: Site, pages: list[NavPage], texts: dict[str, str]) -> None:
    """Write both files into the folder of the site; `texts` are the pages as plain Markdown."""
    (folder / "llms.txt").write_text(render_index(site, pages), "utf-8")
    (folder / "llms-full.txt").write_text(join_pages(site, pages, texts), "utf-8")
