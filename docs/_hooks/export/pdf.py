"""The whole book as one PDF: `uv run python docs/_hooks/export/pdf.py site`, after `mkdocs build`.

It is made of the pages as they were built, by the style for paper that every page has.
From the home page on, each page names the next; the articles of the book are put behind
each other, every id with its page before it, so that links lead to the page of the PDF.
Chromium prints them, with an outline and with tags for screen readers.
"""

import io
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin, urlsplit

import pikepdf
from playwright.sync_api import Browser, Route, sync_playwright

IN_THE_BOOK = re.compile(
    r"(?:chapters|labs)/|reference/(conventions|claims|notation|bibliography)/"
)
HOST = "http://posenc.invalid/"  # nobody's; what is asked of it comes from the folder
# The first has no windows to draw: tests of explorers in it take three quarters of the time.
CHROMIUM = ("chromium-headless-shell", "chromium", "google-chrome")
NAME = "posenc.pdf"
PLACE = "<!-- pdf -->"  # on the first page: the book as a PDF is offered where there is one

ARTICLE = re.compile(r"<article\b[^>]*>(.*)</article>", re.DOTALL)
NEXT = re.compile(r'<link rel="next" href="([^"]*)"')
TITLE = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.DOTALL)
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)"')
SHEET = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
TAG = re.compile(r'<[a-zA-Z](?:[^<>"]|"[^"]*")*>')
ATTRIBUTE = re.compile(r'\s(id|href|src|for|aria-labelledby|loading)="([^"]*)"')
DARK = re.compile(r'<img\b[^>]*#only-dark"[^>]*>')
PERMALINK = re.compile(r'<a class="headerlink".*?</a>', re.DOTALL)

FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{sheets}
<style>
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
    """A page of the book: where it is in the site, and its HTML."""

    path: str  # "chapters/relative/"
    html: str

    @property
    def name(self) -> str:
        """Return what its ids begin with."""
        return self.path.strip("/").replace("/", "-")

    @property
    def title(self) -> str:
        """Return its title, as HTML."""
        found = TITLE.search(self.html)
        return PERMALINK.sub("", found[1]) if found else self.path


def pages(site: Path) -> Iterator[Chapter]:
    """Yield all pages of the site, in the order of the navigation."""
    path: str | None = ""
    while path is not None:
        html = (site / path / "index.html").read_text("utf-8")
        yield Chapter(path, html)
        following = NEXT.search(html)
        path = urljoin(HOST + path, following[1]).removeprefix(HOST) if following else None


def assembled(site: Path, only: re.Pattern[str] = IN_THE_BOOK) -> str:
    """Return the book as one page of HTML."""
    home, *others = pages(site)
    chapters = [page for page in others if only.match(page.path)]
    names = {chapter.path: chapter.name for chapter in chapters}
    canonical = CANONICAL.search(home.html)
    published = canonical[1] if canonical else ""
    description = DESCRIPTION.search(home.html)
    return FRAME.format(
        title="posenc",
        description=description[1] if description else "",
        sheets="".join(
            f'<link rel="stylesheet" href="{href}">' for href in SHEET.findall(home.html)
        ),
        contents="".join(f'<li><a href="#{c.name}">{c.title}</a></li>' for c in chapters),
        articles="\n".join(article(chapter, names, published) for chapter in chapters),
    )


def article(chapter: Chapter, names: dict[str, str], published: str) -> str:
    """Return what a chapter says, with ids and links that hold in the whole book."""
    found = ARTICLE.search(chapter.html)
    if found is None:
        raise ValueError(f"{chapter.path}: no article")

    def attribute(match: re.Match[str]) -> str:
        key, value = match[1], match[2]
        if key == "loading":  # on paper, nothing is loaded later
            return ""
        if key in ("id", "for", "aria-labelledby"):
            value = f"{chapter.name}--{value}"
        elif key == "src":
            value = urljoin(HOST + chapter.path, value).removeprefix(HOST)
        else:
            value = link(chapter, unescape(value), names, published)
        return f' {key}="{value}"' if value else ""

    html = DARK.sub("", PERMALINK.sub("", found[1]))
    html = TAG.sub(lambda tag: ATTRIBUTE.sub(attribute, tag[0]), html)
    return f'<article class="page" id="{chapter.name}">{html}</article>'


def link(chapter: Chapter, href: str, names: dict[str, str], published: str) -> str:
    """Return where a link leads: into the book, to the published site, elsewhere, or nowhere."""
    target = urljoin(HOST + chapter.path, href)
    if not target.startswith(HOST):
        return href
    parts = urlsplit(target.removeprefix(HOST))
    if parts.path in names:
        return "#" + names[parts.path] + (f"--{parts.fragment}" if parts.fragment else "")
    return urljoin(published, target.removeprefix(HOST)) if published else ""


def printed(browser: Browser, site: Path, only: re.Pattern[str] = IN_THE_BOOK) -> bytes:
    """Return the book as PDF."""
    book = assembled(site, only)

    def answer(route: Route) -> None:
        path = PurePosixPath(urlsplit(route.request.url).path.lstrip("/"))
        if path == PurePosixPath(NAME):
            route.fulfill(body=book, content_type="text/html; charset=utf-8")
        elif (site / path).is_file():
            route.fulfill(path=site / path)
        else:
            route.abort()

    page = browser.new_page()
    page.route("**/*", answer)
    page.goto(HOST + NAME, wait_until="networkidle", timeout=300_000)
    page.evaluate("document.fonts.ready.then(() => true)")
    paper = page.pdf(prefer_css_page_size=True, format="A4", outline=True, tagged=True)
    page.close()
    return packed(paper)


def packed(paper: bytes) -> bytes:
    """Return the PDF in less than a third: Chromium leaves the tags of each symbol uncompressed."""
    smaller = io.BytesIO()
    with pikepdf.open(io.BytesIO(paper)) as book:
        book.save(smaller, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return smaller.getvalue()


def offer(site: Path, paper: bytes) -> None:
    """Write the PDF into the site, and a link to it into the first page."""
    (site / NAME).write_bytes(paper)
    home = site / "index.html"
    size = f"{len(paper) / 1e6:.0f} MB"
    link = f'<a href="{NAME}">The whole book as a PDF</a> ({size}).'
    home.write_text(home.read_text("utf-8").replace(PLACE, link), "utf-8")


def installed(variable: str, *names: str) -> str | None:
    """Return where a browser is: what a variable of the environment says, or under some name."""
    return os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)


def main() -> None:
    """Print the book of the folder that is named, `site` if none is."""
    site = Path(sys.argv[1] if len(sys.argv) > 1 else "site")
    chromium = installed("CHROMIUM", *CHROMIUM)
    if chromium is None:
        sys.exit(f"No Chromium: install {CHROMIUM[0]}, or set CHROMIUM to a path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        paper = printed(browser, site)
        browser.close()
    offer(site, paper)
    print(f"{site / NAME}: {len(paper) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
