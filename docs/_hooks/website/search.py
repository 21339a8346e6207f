"""What the search knows of a page, and when a reader's browser fetches it.

Material's search plugin reads the HTML of a page. It is shown another one: formulas are
their words, an equation and a claim are entries of their own with the place to jump to,
and code is no more than the names in it, and the errors that it shows.
The questions that a place answers become its tags.

What readers type and pages do not say goes into a field that nobody sees, `names`: a name of
code, a number and a root in one piece, as `assets/scripts/search.js` asks for them, the id of an
equation, and the words of `sought.toml`.

Material fetches the whole index with the first page. Here it gets an empty one; the entries
lie in a file of their own, which `assets/scripts/search.js` loads when something is asked.
"""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from check import mathml_speech
from check.page_source import read_toml

TITLED = re.compile(
    r'<div class="admonition (?:statement|claim)" id="(?P<id>[\w-]+)">\s*'
    r'<p class="admonition-title">(?P<title>.*?)</p>',
    re.DOTALL,
)
# Titles that say the same on all pages, and what is folded away.
NOISE = re.compile(
    r'<p class="admonition-title">(?:Implementation|Proof)</p>'
    r'|<details class="(?:code|mirrors|steps)">.*?</details>'
    r'|<p><a class="entry".*?</p>'
    r'|(?<=<details class="verification">)\s*<summary>.*?</summary>'
    r'|<span class="filename">.*?</span>',
    re.DOTALL,
)
CODE = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)
NAME = re.compile(r"\bposenc(?:\.\w+)+|^\s*(?:class|def) (?P<defined>\w+)", re.MULTILINE)
ERROR = re.compile(r"^\w+(?:Error|Warning): .+$", re.MULTILINE)
TAG = re.compile(r"<[^>]+>")
SPACES = re.compile(r"[ \n]+")
SECOND = re.compile(r"<h2\b")

# What a kind of page weighs, by how its address begins: the book explains, what stands below it
# lists. An equation weighs more than what stands around it.
WEIGHTS = {
    "chapters/": 1.4,
    "contributing/": 0.3,
    "labs/": 0.5,
    "reference/api/": 0.5,
    "reference/bibliography/": 0.6,
    "reference/claims/": 0.6,
    "reference/configs/": 1.4,
    "reference/cookbook/": 1.4,
    "reference/errata/": 0.3,
    "reference/sources/": 0.3,
}
EQUATION = 1.2

# What is one word for who types it, and what it begins with in the entries.
WHOLE = "§"
CODED = re.compile(r"<code>(?!posenc\.)([^<\s]+)</code>")  # a whole name of ours leads to the API
PIECED = re.compile(r"[A-Za-z]\w*(?:[_.]\w+)+|[A-Za-z]+_\w+")  # rope_theta, config.json
GROUPED = re.compile(r"\b\d{1,3}(?:[ \u202f\u00a0]\d{3})+\b(?!\.\d)")
ROOT_OF = re.compile(r"\bsquare root of (\w+(?: (?:over|sub) \w+)*)")
LINKING = re.compile(r"\b(?:over|sub)\b|\W|_")

# Lists of what is entered where it stands.
LISTS = ("reference/api/index.md", "reference/equations.md", "reference/questions.md")


def shown(page: str, uri: str) -> str:
    """Return the HTML of a page as the search plugin is to read it."""
    page = page[max(page.find("<h1"), 0) :]  # what stands before would be an entry of its own
    if uri in LISTS:
        page = SECOND.split(page)[0]
    page = NOISE.sub("", mathml_speech.replace_formulas(page))
    page = CODE.sub(lambda code: told(code[1]), page)
    return SPACES.sub(" ", TITLED.sub(entered, page))


def entered(title: re.Match[str]) -> str:
    """Return the head of a box as a heading, since headings are what begins an entry."""
    name = html.escape(html.unescape(TAG.sub("", title["title"])), quote=False)
    return f'<div><h4 id="{title["id"]}">{name}</h4>'


def told(code: str) -> str:
    """Return what is worth finding in code: names of the package, what it defines, and errors."""
    text = html.unescape(TAG.sub("", code))
    names = [name["defined"] or name[0] for name in NAME.finditer(text)]
    found = dict.fromkeys([*names, *ERROR.findall(text)])
    return "".join(f"<p><code>{html.escape(name)}</code></p>" for name in found)


def sought() -> dict[str, str]:
    """Return the words that readers type and pages do not say, by place."""
    return read_toml(Path(__file__).with_name("sought.toml"))


def weigh(entries: list[Any], place: str, questions: dict[str, list[str]]) -> None:
    """Give what the page at a place has its weight, its hidden names, and what it answers."""
    kind = next((kind for kind in WEIGHTS if place.startswith(kind)), "")
    for entry in entries:
        there, _, anchor = entry["location"].partition("#")
        if there == place:
            weight = WEIGHTS.get(kind, 1.0) * (EQUATION if anchor.startswith("eq-") else 1)
            asked = questions.get(anchor, [])
            known = " ".join(dict.fromkeys(names(entry, asked)))
            entry.pop("tags", None)  # of a page that `mkdocs serve` has kept
            entry |= {"boost": round(weight, 2), "names": known}
            entry |= {"tags": asked} if asked else {}


def names(entry: dict[str, Any], asked: list[str]) -> Iterator[str]:
    """Yield what an entry is found by and does not say, or not in one piece."""
    location, title, text = entry["location"], entry["title"], " ".join([*asked, entry["text"]])
    anchor = location.partition("#")[2]
    if anchor.startswith("eq-"):  # eq-toeplitz
        yield anchor.removeprefix("eq-").replace("-", " ")
    if anchor.startswith("posenc."):
        yield joined(anchor)
    words = sought().get(location, "").split()
    yield from (joined(word) if PIECED.fullmatch(word) else word for word in words)
    pieces = [*title.split(), *CODED.findall(text)]
    yield from (joined(name) for name in pieces if PIECED.fullmatch(name))
    yield from (joined(number) for number in GROUPED.findall(f"{title} {text}"))
    yield from (joined(f"sqrt {root}") for root in ROOT_OF.findall(text))


def joined(words: str) -> str:
    """Return words and marks as one word, which no word begins like."""
    return WHOLE + LINKING.sub("", words)


def split(site: Path) -> None:
    """Take the entries out of the index that every page loads."""
    index = site / "search/search_index.json"
    found = json.loads(index.read_text("utf-8"))
    for name, content in (("entries", found), ("search_index", found | {"docs": []})):
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        index.with_stem(name).write_text(text, "utf-8")
