"""The book for language models: llms.txt, a list of pages in plain Markdown, and all in one.

The form is that of https://llmstxt.org: a title, a summary, and sections of links.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

ABOUT = """\
Every equation of the book is stated, implemented and verified in one place; the answers \
behind `>>>` prompts were checked when these files were made.
Formulas are LaTeX between dollar signs. Equations have numbers such as (6.1), by chapter.
Each page below is plain Markdown; all of them in one file are in [llms-full.txt]({full}).
Each chapter and each lab is also there as a notebook (`.ipynb`) and a script (`.py`) beside \
its `.md`.
"""


@dataclass
class Contents:
    """A section of the navigation, with its pages."""

    title: str
    pages: list[Page]


def contents(nav: Navigation) -> Iterator[Contents]:
    """Yield the sections of the navigation; pages that belong to none come first."""
    alone = [item for item in nav.items if isinstance(item, Page)]
    if alone:
        yield Contents("Start", alone)
    for item in nav.items:
        if isinstance(item, Section):
            yield Contents(item.title, list(_within(item)))


def _within(section: Section) -> Iterator[Page]:
    for item in section.children:
        if isinstance(item, Page):
            yield item
        elif isinstance(item, Section):
            yield from _within(item)


def index(name: str, summary: str, sections: Iterable[Contents], site: str) -> str:
    """Return llms.txt."""
    lines = [f"# {name}", "", f"> {summary}", "", ABOUT.format(full=f"{site}llms-full.txt")]
    for section in sections:
        lines += [f"## {section.title}", ""]
        for page in section.pages:
            told = page.meta.get("description", "")
            link = f"[{page.title}]({site}{page.file.src_uri})"
            lines.append(f"- {link}{f': {told}' if told else ''}")
        lines.append("")
    return "\n".join(lines)


def whole(sections: Iterable[Contents], texts: dict[str, str], site: str) -> str:
    """Return llms-full.txt: the pages in the order of the navigation."""
    return "\n".join(
        f"---\n\nPage: {site}{page.file.src_uri}\n\n{texts[page.file.src_uri]}"
        for section in sections
        for page in section.pages
        if page.file.src_uri in texts
    )


def write(
    folder: Path, nav: Navigation, texts: dict[str, str], about: tuple[str, str, str]
) -> None:
    """Write both into the folder of the site; `about` is its name, summary and address."""
    name, summary, site = about
    sections = list(contents(nav))
    (folder / "llms.txt").write_text(index(name, summary, sections, site), "utf-8")
    (folder / "llms-full.txt").write_text(whole(sections, texts, site), "utf-8")
