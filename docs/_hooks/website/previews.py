"""Previews of statements and glossary terms, which a reference shows on hover or focus.

Each becomes a small file `assets/previews/<id>.html`, cut out of its page, which
`assets/scripts/preview.js` fetches when it is needed.

Material has previews, too (`navigation.instant.preview`), but they need `site_url`, fetch the whole
chapter, and show everything from the anchor to the next heading.
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
# Readers cannot reach links in a preview, and on another page their targets would be wrong.
UNWRAPPED = re.compile(r"</?(?:a|autoref|abbr)\b[^>]*>|<sup id=\"fnref.*?</sup>", re.DOTALL)
ID = re.compile(r' id="[^"]*"')


def find_previews(page: str) -> Iterator[tuple[str, str]]:
    """Yield the id of each statement and each term on a page, and its preview."""
    for box in STATEMENT.finditer(page):
        body = page[box.end() : find_end_of_div(page, box.start())]
        yield box["id"], render_preview(box["title"], body)
    for term in TERM.finditer(page):
        yield term["id"], render_preview(PERMALINK.sub("", term["title"]), term["body"])


def render_preview(title: str, body: str) -> str:
    """Return the HTML of a preview, without links and ids."""
    title, body = (ID.sub("", UNWRAPPED.sub("", text)).strip() for text in (title, body))
    return f'<p class="preview-title">{title}</p>\n{body}\n'


def find_end_of_div(page: str, start: int) -> int:
    """Return the position of the closing tag of the <div> at `start`."""
    depth = 0
    for tag in DIV.finditer(page, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.start()
    raise ValueError(f"<div> is not closed: {page[start : start + 60]}…")
