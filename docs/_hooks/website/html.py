"""Repairs of the HTML that Python-Markdown and the theme write.

Articles get what Markdown cannot express: headings for the titles of equations, frames that let
wide tables scroll, names for permanent links, and code that can be copied without its answers.
In the navigation, chapters get their numbers, and lists of sections get names for screen readers.

Material's copy button copies the visible text, and `code.css` hides prompts and answers while it
does so. For this each answer has to be one element with its line ends. With the number of lines of
a code block, the browser can reserve its height before it renders it.
"""

import math
import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import urljoin

from render.navigation import Chapter

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
# Material's script would add this frame later, and the page would move.
FRAME = (
    r'<div class="md-typeset__scrollwrap framed"><div class="md-typeset__table">\g<0></div></div>'
)
CELL = re.compile(r"<td\b[^>]*>(?P<content>.*?)</td>", re.DOTALL)
LONG_CELL = 40  # characters; on phones, its column keeps a width for some words
TAG = re.compile(r"<[^>]*>")
EMPTY_HEADER = re.compile(r"<th\b([^>]*)></th>")
TITLE = re.compile(
    r'<div class="admonition (?:statement|claim)"[^>]*>\s*<p class="admonition-title"'
)
PERMALINK = ' title="Permanent link"'

SECTION = re.compile(
    r'aria-labelledby="[^"]*"(?P<rest> aria-expanded="\w+">\s*<label class="md-nav__title"[^>]*>'
    r'\s*<span class="md-nav__icon md-icon"></span>\s*)(?P<title>[^<]*[^<\s])(?=\s*</label>)'
)
LABEL = re.compile(r'(?P<way> aria-label="(?:Previous|Next)): ')
# A link to a page, in the navigation or at the foot; or the name of the current page.
ENTRY = re.compile(
    r'(?P<before><(?:a href="(?P<to>[^"#]*)" class="md-(?:nav|footer)__link'
    r'|label class="md-nav__link md-nav__link--active" for="__toc"'
    r'|div class="md-header__topic" data-md-component="header-topic").*?class="md-ellipsis">)\s*'
    r"(?P<title>[^<]*?)\s*(?P<after></)",
    re.DOTALL,
)

SESSION = re.compile(
    r'(?P<head><div class="language-pycon\b[^>]*>.*?<code\b[^>]*>)(?P<lines>.*?)(?P<foot></code>)',
    re.DOTALL,
)
# Lines without a prompt. Pygments closes all elements at the end of each line.
ANSWER = re.compile(r'(?:^(?!(?:<a [^>]*></a>)?<span class="gp">).*\n)+', re.MULTILINE)
OUTPUT = re.compile(r'<span class="go">([^<]*)</span>')
PHONE = 39  # characters in a line of code on a phone
BLOCK = re.compile(r"<pre><span></span><code(?P<rest>>(?P<lines>.*?)</code></pre>)", re.DOTALL)


def repair_article(article: str) -> str:
    """Return the HTML of an article with accessible titles, tables, links and code."""
    article = TABLE.sub(_mark_long_cells, article)
    article = TABLE.sub(FRAME, EMPTY_HEADER.sub(r"<td\1></td>", article))
    article = TITLE.sub(r'\g<0> role="heading" aria-level="3"', article)
    label = ' title="Link to this place" aria-label="Link to this place"'
    article = article.replace(PERMALINK, label)
    return BLOCK.sub(_add_line_count, SESSION.sub(_join_answers, article))


def _mark_long_cells(table: re.Match[str]) -> str:
    def mark(cell: re.Match[str]) -> str:
        is_long = len(TAG.sub("", cell["content"])) > LONG_CELL
        return cell[0].replace("<td", '<td class="long"', 1) if is_long else cell[0]

    return CELL.sub(mark, table[0])


def _join_answers(session: re.Match[str]) -> str:
    def join(answer: re.Match[str]) -> str:
        return '<span class="go">' + OUTPUT.sub(r"\1", answer[0]) + "</span>"

    return session["head"] + ANSWER.sub(join, session["lines"]) + session["foot"]


def _add_line_count(block: re.Match[str]) -> str:
    lines = TAG.sub("", block["lines"]).splitlines()
    wrapped = sum(max(1, math.ceil(len(unescape(line)) / PHONE)) for line in lines)
    return (
        f'<pre><span></span><code style="--lines: {len(lines)}; --wrapped: {wrapped}"'
        f"{block['rest']}"
    )


def repair_navigation(page: str, url: str, chapters: Iterable[Chapter]) -> str:
    """Return the HTML of the page at `url` with numbered chapters and named lists."""
    numbers = {chapter.url: chapter.number for chapter in chapters}

    def number(entry: re.Match[str]) -> str:
        chapter = numbers.get(urljoin(url, entry["to"] or ""))
        if chapter is None:
            return f"{entry['before']}{entry['title']}{entry['after']}"
        before = LABEL.sub(rf"\g<way> {chapter} ", entry["before"])
        return f'{before}<span class="chapter">{chapter}</span> {entry["title"]}{entry["after"]}'

    page = SECTION.sub(r'aria-label="\g<title>"\g<rest>\g<title>', page)
    page = LABEL.sub(r"\g<way> ", ENTRY.sub(number, page))
    if 'id="__toc"' not in page:  # a label of a table of contents that the page doesn't have
        page = page.replace(' for="__toc"', "")
    return page.replace(' tabindex=""', "")  # invalid HTML: an empty string is not an integer
