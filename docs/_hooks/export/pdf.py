"""The whole book as one PDF: `uv run python docs/_hooks/export/pdf.py site`, after `mkdocs build`.

The articles of the built pages are joined into one HTML page, in the order of the navigation.
Chromium prints it with the print style of the site, an outline, and tags for screen readers. Every
id is prefixed by the name of its page, so links between chapters work inside the PDF.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urljoin, urlsplit

import pikepdf

PRINTED_PAGES = re.compile(
    r"(?:chapters|labs)/|reference/(conventions|claims|notation|bibliography)/"
)
CHROMIUM = ("chromium-headless-shell", "chromium", "google-chrome")
PRINT = (
    "--headless",
    "--no-sandbox",  # CI runs as root
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
)
NAME = "posenc.pdf"
LINK_MARK = "<!-- pdf -->"  # replaced on the home page by a link to the PDF

ARTICLE = re.compile(r"<article\b[^>]*>(.*)</article>", re.DOTALL)
NEXT = re.compile(r'<link rel="next" href="([^"]*)"')
TITLE = re.compile(r'<h1\b[^>]*>(.*?)(?:<a class="headerlink".*?)?</h1>', re.DOTALL)
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)"')
SHEET = re.compile(r'<link rel="stylesheet" href="[^"]*">')
TAG = re.compile(r'<[a-zA-Z](?:[^<>"]|"[^"]*")*>')
ATTRIBUTE = re.compile(r'\s(id|href|src|for|aria-labelledby|loading)="([^"]*)"')

FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{sheets}
<style>
  @page {{ size: A4; }}
  .page {{ break-before: page; }}
  .front {{ padding-top: 60mm; text-align: center; }}
  .md-typeset .front h1 {{ font-size: 4em; }}
  .md-typeset .toc {{ list-style: none; margin: 0; }}
</style></head>
<body data-md-color-scheme="default" data-md-color-primary="custom" data-md-color-accent="custom">
<div class="md-typeset">
<section class="front"><h1>{title}</h1><p class="lead">{description}</p></section>
<nav class="page"><h1>Contents</h1><ol class="toc">{contents}</ol></nav>
{articles}
</div></body></html>"""


@dataclass(frozen=True)
class Chapter:
    """A page of the book: its path in the site, and its HTML."""

    path: str  # "chapters/relative/"
    html: str

    @property
    def name(self) -> str:
        """Return the prefix of its ids."""
        return self.path.strip("/").replace("/", "-")

    @property
    def title(self) -> str:
        """Return its title, as HTML."""
        title = TITLE.search(self.html)
        return title[1] if title else self.path


def list_pages(site: Path) -> Iterator[Chapter]:
    """Yield all pages of the site, in the order of the navigation."""
    path: str | None = ""
    while path is not None:
        html = (site / path / "index.html").read_text("utf-8")
        yield Chapter(path, html)
        next_page = NEXT.search(html)
        path = resolve_path(path, next_page[1]) if next_page else None


def resolve_path(path: str, href: str) -> str:
    """Return a relative link on a page as a path from the root, and any other link unchanged."""
    return urljoin(f"/{path}", href).removeprefix("/")


def assemble_book(site: Path) -> str:
    """Return the book as one page of HTML."""
    home, *others = list_pages(site)
    chapters = [page for page in others if PRINTED_PAGES.match(page.path)]
    names = {chapter.path: chapter.name for chapter in chapters}
    canonical = CANONICAL.search(home.html)
    published = canonical[1] if canonical else ""
    description = DESCRIPTION.search(home.html)
    return FRAME.format(
        title="posenc",
        description=description[1] if description else "",
        sheets="".join(SHEET.findall(home.html)),
        contents="".join(f'<li><a href="#{c.name}">{c.title}</a></li>' for c in chapters),
        articles="\n".join(render_article(chapter, names, published) for chapter in chapters),
    )


def render_article(chapter: Chapter, names: dict[str, str], published: str) -> str:
    """Return the article of a chapter, with ids and links that are valid in the whole book."""
    article = ARTICLE.search(chapter.html)
    if article is None:
        raise ValueError(f"{chapter.path}index.html has no <article>")

    def edit_attribute(match: re.Match[str]) -> str:
        key, value = match[1], match[2]
        if key == "loading":  # Chromium would print before it loads lazy images
            return ""
        if key in ("id", "for", "aria-labelledby"):
            value = f"{chapter.name}--{value}"
        elif key == "src":
            value = resolve_path(chapter.path, value)
        else:
            value = resolve_link(chapter, unescape(value), names, published)
        return f' {key}="{value}"' if value else ""

    html = TAG.sub(lambda tag: ATTRIBUTE.sub(edit_attribute, tag[0]), article[1])
    return f'<article class="page" id="{chapter.name}">{html}</article>'


def resolve_link(chapter: Chapter, href: str, names: dict[str, str], published: str) -> str:
    """Return the target of a link: in the PDF, on the published site, or nothing."""
    target = resolve_path(chapter.path, href)
    page, _, anchor = target.partition("#")
    if page in names:
        return "#" + names[page] + (f"--{anchor}" if anchor else "")
    return target if urlsplit(href).scheme else published and urljoin(published, target)


def print_book(chromium: str, site: Path, paper: Path) -> None:
    """Print the built site into the file `paper`."""
    with TemporaryDirectory() as folder:
        printed = Path(folder) / NAME
        book = (site / NAME).with_suffix(".html")  # in the site, because of its images
        book.write_text(assemble_book(site), "utf-8")
        arguments = [chromium, *PRINT, f"--print-to-pdf={printed}", book.resolve().as_uri()]
        subprocess.run(arguments, check=True)
        book.unlink()
        # Chromium doesn't compress the tags for screen readers, which are two thirds of the file.
        with pikepdf.open(printed) as pdf:
            pdf.save(paper, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def add_link_to_home(site: Path) -> None:
    """Link the PDF on the home page."""
    home = site / "index.html"
    size = f"{(site / NAME).stat().st_size / 1e6:.0f} MB"
    link = f'<a href="{NAME}">The whole book as a PDF</a> ({size}).'
    home.write_text(home.read_text("utf-8").replace(LINK_MARK, link), "utf-8")


def main() -> None:
    """Print the site in the folder of the first argument, by default `site`."""
    site = Path(sys.argv[1] if len(sys.argv) > 1 else "site")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        sys.exit(f"Chromium was not found; install {CHROMIUM[0]}, or set CHROMIUM to its path")
    print_book(chromium, site, site / NAME)
    add_link_to_home(site)


if __name__ == "__main__":
    main()
