"""What the search knows of a page, and when a reader's browser fetches it.

Material's search plugin reads the HTML of a page. It is shown another one: formulas are
their words, an equation and a claim are entries of their own with the place to jump to,
and code is no more than the names of the package in it, and the errors that it shows.
The questions that a place answers become its tags.

Material fetches the whole index with the first page. Here it gets an empty one; the entries
lie in a file of their own, which `assets/scripts/search.js` loads when something is asked.
"""

import html
import json
import re
from pathlib import Path
from typing import Any

from engine import formula_words

TITLED = re.compile(
    r'<div class="admonition (?:statement|claim)" id="(?P<id>[\w-]+)">\s*'
    r'<p class="admonition-title">(?P<title>.*?)</p>',
    re.DOTALL,
)
# Titles that say the same on all pages, and what is folded away.
NOISE = re.compile(
    r'<p class="admonition-title">(?:Implementation|Proof)</p>'
    r'|<details class="(?:code|mirrors|steps|strength)">.*?</details>'
    r'|<p><a class="entry".*?</p>'
    r'|(?<=<details class="verification">)\s*<summary>.*?</summary>'
    r'|<span class="filename">.*?</span>',
    re.DOTALL,
)
CODE = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)
NAME = re.compile(r"\bposenc(?:\.\w+)+")
ERROR = re.compile(r"^\w+(?:Error|Warning): .+$", re.MULTILINE)
TAG = re.compile(r"<[^>]+>")
SPACES = re.compile(r"[ \n]+")
SECOND = re.compile(r"<h2\b")

BOOSTS = {"posenc.": 2.0, "eq-": 1.5}

# Lists of what is entered where it stands.
LISTS = ("reference/equations.md", "reference/questions.md")


def shown(page: str, uri: str) -> str:
    """Return the HTML of a page as the search plugin is to read it."""
    page = page[max(page.find("<h1"), 0) :]  # what stands before would be an entry of its own
    if uri in LISTS:
        page = SECOND.split(page)[0]
    page = NOISE.sub("", formula_words.in_place_of_formulas(page))
    page = CODE.sub(lambda code: told(code[1]), page)
    return SPACES.sub(" ", TITLED.sub(entered, page))


def entered(title: re.Match[str]) -> str:
    """Return the head of a box as a heading, since headings are what begins an entry."""
    name = html.escape(html.unescape(TAG.sub("", title["title"])), quote=False)
    return f'<div><h4 id="{title["id"]}">{name}</h4>'


def told(code: str) -> str:
    """Return what is worth finding in code: names of the package, and errors."""
    text = html.unescape(TAG.sub("", code))
    found = dict.fromkeys([*NAME.findall(text), *ERROR.findall(text)])
    return "".join(f"<p><code>{html.escape(name)}</code></p>" for name in found)


def weigh(entries: list[Any], place: str, questions: dict[str, list[str]]) -> None:
    """Lift functions and equations of the page at a place, and tag what answers questions."""
    for entry in entries:
        there, _, anchor = entry["location"].partition("#")
        if there == place:
            kind = next((kind for kind in BOOSTS if anchor.startswith(kind)), "")
            entry |= {"boost": BOOSTS[kind]} if kind else {}
            entry.pop("tags", None)  # of a page that `mkdocs serve` has kept
            entry |= {"tags": questions[anchor]} if anchor in questions else {}
            called = f"<p>{anchor.removeprefix('eq-').replace('-', ' ')}</p>"  # eq-toeplitz
            if kind == "eq-" and not entry["text"].endswith(called):
                entry["text"] += called


def split(site: Path) -> None:
    """Take the entries out of the index that every page loads."""
    index = site / "search/search_index.json"
    found = json.loads(index.read_text("utf-8"))
    for name, content in (("entries", found), ("search_index", found | {"docs": []})):
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        index.with_stem(name).write_text(text, "utf-8")
