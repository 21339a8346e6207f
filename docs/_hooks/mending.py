"""The pages as the theme writes them, mended: for screen readers, and for speed.

- The search dialog gets a name, as do the lists of sections that have a page of their own;
  an empty cell at the head of a table is no header.
- The font, which formulas and headings share, is asked for before the style sheets: it is
  there with the first line, and nothing moves when it comes.
- That there is JavaScript is said at once; later, the whole page would be styled again.
- The style of the API's entries is loaded where there are any.
- Each block of code says how many lines it has: code.css keeps that room, and the browser
  lays the code out when it comes in sight.
- Who reads without JavaScript gets the system's dark colours from a sheet of their own.
"""

import re

SEARCH = 'data-md-component="search" role="dialog"'
SECTION = re.compile(
    r'aria-labelledby="[^"]*"(?P<rest> aria-expanded="\w+">\s*<label class="md-nav__title"[^>]*>'
    r'\s*<span class="md-nav__icon md-icon"></span>\s*)(?P<title>[^<]*[^<\s])(?=\s*</label>)'
)
CODE = re.compile(r"<pre><span></span><code(?P<rest>>(?P<lines>.*?)</code></pre>)", re.DOTALL)
EMPTY_HEADER = re.compile(r"<th\b([^>]*)></th>")
SCRIPTED = (
    '<script>document.documentElement.className = "js js-focus-visible";'
    'document.documentElement.dataset.jsFocusVisible = ""</script>'
)
SHEET = re.compile(r'<link rel="stylesheet" href="(?P<root>[^"]*)assets/book\.css">')
FIRST_SHEET = '<link rel="stylesheet"'
API_SHEET = re.compile(r'\s*<link rel="stylesheet" href="[^"]*assets/_mkdocstrings\.css">')


def mended(page: str) -> str:
    """Return the HTML of a whole page, mended."""
    page = page.replace(SEARCH, f'{SEARCH} aria-label="Search"')
    page = SECTION.sub(r'aria-label="\g<title>"\g<rest>\g<title>', page)
    page = EMPTY_HEADER.sub(r"<td\1></td>", page)
    page = CODE.sub(_with_room, page)
    if 'class="doc ' not in page:
        page = API_SHEET.sub("", page)
    sheet = SHEET.search(page)
    if sheet is None:
        return page
    root = sheet["root"]
    font = (
        f'<link rel="preload" href="{root}assets/math.woff2" as="font" type="font/woff2"'
        " crossorigin>\n      "
    )
    dark = (
        f'\n    <noscript><link rel="stylesheet" href="{root}assets/dark.css"'
        ' media="screen and (prefers-color-scheme: dark)"></noscript>'
    )
    page = page.replace(sheet[0], sheet[0] + dark, 1).replace("</head>", f"{SCRIPTED}</head>", 1)
    return page.replace(FIRST_SHEET, font + FIRST_SHEET, 1)


def _with_room(match: re.Match[str]) -> str:
    lines = match["lines"].count("\n")
    return f'<pre><span></span><code style="--lines: {lines}"{match["rest"]}'
