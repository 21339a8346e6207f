"""The pages as the theme writes them, mended: for screen readers, and for speed.

- The search dialog gets a name, as do the lists of sections that have a page of their own;
  an empty cell at the head of a table is no header.
- The font, which formulas and headings share, is asked for at once, but behind the style
  sheets, which the first line waits for: it comes with them, and nothing moves.
- That there is JavaScript is said at once; later, the whole page would be styled again.
  For the same reason theme.js, and not Material, keeps the form for the colours.
- A table has the frame that Material gives it, from the beginning: nothing moves when Material
  comes and frames it again, no more than the frame is styled anew, and it scrolls without.
- Material's script is loaded when the page is seen, since nobody needs it before.
- The style of the API's entries is loaded where there are any.
- Answers in sessions are apart from code, and tokens are elements only where they show.
- Each block of code says how many lines it has: code.css keeps that room, and the browser
  lays the code out when it comes in sight.
- Who reads without JavaScript gets the system's dark colours from a sheet of their own.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urljoin

from pages.navigation import Chapter
from website import search, tokens
from website.copying import with_answers_apart

SEARCH = 'data-md-component="search" role="dialog"'
SECTION = re.compile(
    r'aria-labelledby="[^"]*"(?P<rest> aria-expanded="\w+">\s*<label class="md-nav__title"[^>]*>'
    r'\s*<span class="md-nav__icon md-icon"></span>\s*)(?P<title>[^<]*[^<\s])(?=\s*</label>)'
)
CODE = re.compile(r"<pre><span></span><code(?P<rest>>(?P<lines>.*?)</code></pre>)", re.DOTALL)
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
FRAME = (
    r'<div class="md-typeset__scrollwrap framed"><div class="md-typeset__table">\g<0></div></div>'
)
EMPTY_HEADER = re.compile(r"<th\b([^>]*)></th>")
SCRIPTED = (
    '<script>document.documentElement.className = "js js-focus-visible";'
    'document.documentElement.dataset.jsFocusVisible = ""</script>'
)
PALETTE = 'data-md-component="palette"'
SCRIPT = re.compile(r'<script src="(?P<address>[^"]*/bundle\.\w+\.min\.js)"></script>')
# It begins when it hears that the page is there, which the browser has told long ago. In a task
# of its own: whoever has begun to scroll waits for one at most.
LATE = """<script>
  requestAnimationFrame(() => setTimeout(() => {{
    const theme = document.createElement("script");
    theme.src = "{}";
    theme.onload = () => setTimeout(() => document.dispatchEvent(new Event("DOMContentLoaded")));
    document.body.append(theme);
  }}));
</script>"""
SHEET = re.compile(r'<link rel="stylesheet" href="(?P<root>[^"]*)assets/book\.css">')
API_SHEET = re.compile(r'\s*<link rel="stylesheet" href="[^"]*assets/_mkdocstrings\.css">')


# A link to a page, in the navigation or at the foot; or what names the page that is read.
ENTRY = re.compile(
    r'(?P<before><(?:a href="(?P<to>[^"#]*)" class="md-(?:nav|footer)__link'
    r'|label class="md-nav__link md-nav__link--active" for="__toc"'
    r'|div class="md-header__topic" data-md-component="header-topic").*?class="md-ellipsis">)\s*'
    r"(?P<title>[^<]*?)\s*(?P<after></)",
    re.DOTALL,
)


@lru_cache(maxsize=128)  # in `mkdocs serve`, most pages are as they were before the last edit
def finished(page: str, url: str, chapters: tuple[Chapter, ...]) -> str:
    """Return the HTML of a page of the book with all that the theme leaves undone."""
    return mended(search.with_worker(numbered(page, url, chapters)))


def mended(page: str) -> str:
    """Return the HTML of a whole page, mended."""
    page = page.replace(SEARCH, f'{SEARCH} aria-label="Search"')
    page = SECTION.sub(r'aria-label="\g<title>"\g<rest>\g<title>', page)
    page = TABLE.sub(FRAME, EMPTY_HEADER.sub(r"<td\1></td>", page))
    page = page.replace(PALETTE, "data-book-palette")
    page = SCRIPT.sub(lambda script: LATE.format(script["address"]), page)
    page = CODE.sub(_with_room, tokens.fewer(with_answers_apart(page)))
    if 'class="doc ' not in page:
        page = API_SHEET.sub("", page)
    sheet = SHEET.search(page)
    if sheet is None:
        return page
    font = (
        f'\n    <link rel="preload" href="{sheet["root"]}assets/math.woff2" as="font"'
        ' type="font/woff2" crossorigin>'
    )
    dark = (
        f'\n    <noscript><link rel="stylesheet" href="{sheet["root"]}assets/dark.css"'
        ' media="screen and (prefers-color-scheme: dark)"></noscript>'
    )
    page = page.replace(sheet[0], sheet[0] + font + dark, 1)
    return page.replace("</head>", f"{SCRIPTED}</head>", 1)


def _with_room(match: re.Match[str]) -> str:
    lines = match["lines"].count("\n")
    return f'<pre><span></span><code style="--lines: {lines}"{match["rest"]}'


def numbered(html: str, url: str, chapters: Iterable[Chapter]) -> str:
    """Return the built page of an address with the number of each chapter before its title."""
    numbers = {chapter.url: chapter.number for chapter in chapters}

    def number(entry: re.Match[str]) -> str:
        found = numbers.get(urljoin(url, entry["to"] or ""))
        mark = f'<span class="chapter">{found}</span> ' if found else ""
        return f"{entry['before']}{mark}{entry['title']}{entry['after']}"

    return ENTRY.sub(number, html)
