"""The pages as the theme writes them, mended: for screen readers, and for speed.

What a template can say is said in `docs/_theme/main.html`. Here is what stands in the midst of
what the theme or Markdown writes:

- The lists of sections that have a page of their own get a name; an empty cell at the head of
  a table is no header; an empty tabindex says nothing; the title of a table of contents that is
  not there leads nowhere.
- A table has the frame that Material gives it, from the beginning: nothing moves when Material
  comes and frames it again, no more than the frame is styled anew, and it scrolls without.
- The style of the API's entries is loaded where there are any.
- The title of an equation or of a claim is found among the headings.
- A link to a place has a name, and one at the foot is called what it shows.
- Code is made lighter, as `website/code.py` says.
"""

import re
from collections.abc import Iterable
from urllib.parse import urljoin

from pages.navigation import Chapter
from website import code

SECTION = re.compile(
    r'aria-labelledby="[^"]*"(?P<rest> aria-expanded="\w+">\s*<label class="md-nav__title"[^>]*>'
    r'\s*<span class="md-nav__icon md-icon"></span>\s*)(?P<title>[^<]*[^<\s])(?=\s*</label>)'
)
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
FRAME = (
    r'<div class="md-typeset__scrollwrap framed"><div class="md-typeset__table">\g<0></div></div>'
)
EMPTY_HEADER = re.compile(r"<th\b([^>]*)></th>")
TITLE = re.compile(
    r'<div class="admonition (?:statement|claim)"[^>]*>\s*<p class="admonition-title"'
)
PERMALINK = ' title="Permanent link"'
LABEL = re.compile(r'(?P<way> aria-label="(?:Previous|Next)): ')
API_SHEET = re.compile(r'\s*<link rel="stylesheet" href="[^"]*assets/_mkdocstrings\.css">')

# A link to a page, in the navigation or at the foot; or what names the page that is read.
ENTRY = re.compile(
    r'(?P<before><(?:a href="(?P<to>[^"#]*)" class="md-(?:nav|footer)__link'
    r'|label class="md-nav__link md-nav__link--active" for="__toc"'
    r'|div class="md-header__topic" data-md-component="header-topic").*?class="md-ellipsis">)\s*'
    r"(?P<title>[^<]*?)\s*(?P<after></)",
    re.DOTALL,
)


def finished(page: str, url: str, chapters: Iterable[Chapter]) -> str:
    """Return the HTML of a page of the book with all that the theme leaves undone."""
    return mended(numbered(page, url, chapters))


def mended(page: str) -> str:
    """Return the HTML of a whole page, mended."""
    page = SECTION.sub(r'aria-label="\g<title>"\g<rest>\g<title>', page)
    page = page.replace(' tabindex=""', "")
    if 'id="__toc"' not in page:
        page = page.replace(' for="__toc"', "")
    page = TABLE.sub(FRAME, EMPTY_HEADER.sub(r"<td\1></td>", page))
    page = TITLE.sub(r'\g<0> role="heading" aria-level="3"', page)
    page = page.replace(PERMALINK, ' title="Link to this place" aria-label="Link to this place"')
    page = LABEL.sub(r"\g<way> ", page)
    page = code.shown(page)
    if 'class="doc ' in page:
        return page
    head, end, body = page.partition("</head>")
    return API_SHEET.sub("", head) + end + body


def numbered(html: str, url: str, chapters: Iterable[Chapter]) -> str:
    """Return the built page of an address with the number of each chapter before its title."""
    numbers = {chapter.url: chapter.number for chapter in chapters}

    def number(entry: re.Match[str]) -> str:
        found = numbers.get(urljoin(url, entry["to"] or ""))
        mark = f'<span class="chapter">{found}</span> ' if found else ""
        before = LABEL.sub(rf"\g<way> {found} ", entry["before"]) if found else entry["before"]
        return f"{before}{mark}{entry['title']}{entry['after']}"

    return ENTRY.sub(number, html)
