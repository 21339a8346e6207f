"""Previews: what a reference shows where the pointer or the focus rests on it.

Each statement, and each term of the glossary, becomes a small file `assets/previews/<id>.html`,
cut out of its page. `assets/scripts/preview.js` fetches one when a reader asks for it.
Without it a reference is a link like any other.

Material has previews, too (`navigation.instant.preview`). They need `site_url` for a list of
the pages, fetch the whole chapter, and show all from the anchor to the next heading.
"""

import re
from collections.abc import Iterator

STATEMENT = re.compile(
    r'<div class="admonition statement" id="(?P<id>eq-[\w-]+)">\s*'
    r'<p class="admonition-title">(?P<title>.*?)</p>',
    re.DOTALL,
)
TERM = re.compile(
    r'<h[23] id="(?P<id>term-[\w-]+)">(?P<title>.*?)</h[23]>\s*(?P<body><p>.*?</p>)', re.DOTALL
)
DIV = re.compile(r"<(/?)div\b")
PERMALINK = re.compile(r'<a class="headerlink".*?</a>', re.DOTALL)
# A link in a preview could not be reached, and would lead elsewhere from another page.
UNWRAPPED = re.compile(r"</?(?:a|autoref|abbr)\b[^>]*>|<sup id=\"fnref.*?</sup>", re.DOTALL)
ID = re.compile(r' id="[^"]*"')


def cards(page: str) -> Iterator[tuple[str, str]]:
    """Yield the id of each statement and each term on a page, and its preview."""
    for found in STATEMENT.finditer(page):
        yield found["id"], card(found["title"], page[found.end() : end(page, found.start())])
    for found in TERM.finditer(page):
        yield found["id"], card(PERMALINK.sub("", found["title"]), found["body"])


def card(title: str, body: str) -> str:
    """Return a preview."""
    title, body = (ID.sub("", UNWRAPPED.sub("", text)).strip() for text in (title, body))
    return f'<p class="preview-title">{title}</p>\n{body}\n'


def end(page: str, start: int) -> int:
    """Return where the <div> that starts there closes."""
    depth = 0
    for tag in DIV.finditer(page, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.start()
    raise ValueError("a <div> that is not closed")
