"""The search index: what Material's search plugin reads of a page, and the weight of entries.

The plugin reads the HTML of a page. We give it a simpler version: it has the sentences that a
reader reads, without what surrounds them, such as captions, lines of facts and displayed formulas.
Each equation and each claim becomes an entry with its own anchor, and code is reduced to names and
error messages. The questions that a section answers become its tags. `assets/scripts/results.js`
takes its excerpts from paragraphs and items of lists.

The invisible field `names` has what readers type and pages don't say: names of code, numbers and
roots as one word, as `assets/scripts/search.js` looks them up, ids of equations, and the words of
`search_words.toml`.

Material loads the whole index with the first page. Here that index is empty; the entries are in
another file, which `assets/scripts/search.js` loads at the first search.
"""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from check.page_source import read_toml
from render.questions import Question
from website.formula_text import write_formulas

TITLED = re.compile(
    r'<div class="admonition (?:statement|claim)" id="(?P<id>[\w-]+)">\s*'
    r'<p class="admonition-title">(?P<title>.*?)</p>',
    re.DOTALL,
)
# What isn't a sentence of the page: facts in its head, figures, links, what a fold is called, and
# descriptions of parameters, which would be a fifth of the index.
NOISE = re.compile(
    r'<p class="admonition-title">(?:Implementation|Proof)</p>'
    r'|<details class="(?:code|mirrors|steps)">.*?</details>'
    r'|<p class="(?:facts|take)">.*?</p>'
    r'|<div class="goals">.*?</div>'
    r"|<figure\b.*?</figure>"
    r'|<p><a class="(?:entry|md-button)\b.*?</p>'
    r"|<summary>.*?</summary>"
    r'|<span class="filename">.*?</span>'
    r'|<p><span class="doc-section-title">.*?</p>'
    r'|<div class="doc-md-description">.*?</div>'
    r"|<button\b.*?</button>",
    re.DOTALL,
)
CODE = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)
NAME = re.compile(r"\bposenc(?:\.\w+)+|^\s*(?:class|def) (?P<defined>\w+)", re.MULTILINE)
ERROR = re.compile(r"^\w+(?:Error|Warning): .+$", re.MULTILINE)
TAG = re.compile(r"<[^>]+>")
SPACES = re.compile(r"[ \n]+")
SECOND = re.compile(r"<h2\b")

# The weight of a page, by the beginning of its address. Chapters explain, other pages list.
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
# Times that of its page, by the beginning of an anchor. Other sections explain what these use.
SECTION_WEIGHTS = {
    **dict.fromkeys(("easy-", "medium-", "hard-", "exercises", "check-yourself"), 0.3),
    **dict.fromkeys(("further-reading", "summary"), 0.5),
}

# Names, numbers and roots that readers type as one word; in the index such a word begins with §.
ONE_WORD = "§"
CODE_NAME = re.compile(r"<code>(?!posenc\.)([^<\s]+)</code>")  # names of posenc lead to the API
COMPOUND = re.compile(  # rope_theta, config.json, sqrt(d/2)
    r"[A-Za-z]\w*(?:[_.]\w+)+|[A-Za-z]+_\w+|sqrt\([\w/]+\)"
)
LARGE_NUMBER = re.compile(r"\b\d{1,3}(?:[ \u202f\u00a0]\d{3})+\b(?!\.\d)")
SQUARE_ROOT = re.compile(r"√(\([\w/]+\)|\w+)")
SEPARATOR = re.compile(r"\W|_")

# Pages that list what other pages define, where the search should find it.
LISTS = ("reference/api/index.md", "reference/equations.md", "reference/questions.md")


def prepare_page(page: str, uri: str) -> str:
    """Return the version of a page that the search plugin reads."""
    page = page[max(page.find("<h1"), 0) :]  # anything before it would become an entry
    if uri in LISTS:
        page = SECOND.split(page)[0]
    page = write_formulas(NOISE.sub("", page))
    page = CODE.sub(lambda code: render_names_in_code(code[1]), page)
    return SPACES.sub(" ", TITLED.sub(render_entry_heading, page))


def render_entry_heading(title: re.Match[str]) -> str:
    """Return the title of a box as a heading, because each heading begins an entry."""
    name = html.escape(html.unescape(TAG.sub("", title["title"])), quote=False)
    return f'<div><h4 id="{title["id"]}">{name}</h4>'


def render_names_in_code(code: str) -> str:
    """Return the searchable parts of code: names of the package, definitions, and errors."""
    text = html.unescape(TAG.sub("", code))
    names = [name["defined"] or name[0] for name in NAME.finditer(text)]
    unique = dict.fromkeys([*names, *ERROR.findall(text)])
    return "".join(f"<p><code>{html.escape(name)}</code></p>" for name in unique)


def read_search_words() -> dict[str, str]:
    """Return the words that readers type and pages don't say, by location."""
    return read_toml(Path(__file__).with_name("search_words.toml"))


def weight_entries(entries: list[Any], url: str, questions: dict[str, list[Question]]) -> None:
    """Add weights, hidden search words, questions and answers to the entries of the page at `url`.

    `questions` has the questions that the sections of the page answer, by anchor.
    """
    weight = find_weight(WEIGHTS, url)
    for entry in entries:
        page, _, anchor = entry["location"].partition("#")
        if page == url:
            factor = find_weight(SECTION_WEIGHTS, anchor)
            answered = questions.get(anchor, [])
            tags = [question.text for question in answered]
            answers = [
                html.escape(question.answer.replace("`", ""), quote=False) for question in answered
            ]
            words = " ".join(dict.fromkeys(list_search_words(entry, tags)))
            for field in ("tags", "answers"):  # from an earlier build of `mkdocs serve`
                entry.pop(field, None)
            entry |= {"boost": round(weight * factor, 2), "names": words}
            entry |= {"tags": tags, "answers": answers} if tags else {}


def find_weight(weights: dict[str, float], name: str) -> float:
    """Return the weight of the beginning that a name has, or 1."""
    return next((weights[start] for start in weights if name.startswith(start)), 1.0)


def list_search_words(entry: dict[str, Any], tags: list[str]) -> Iterator[str]:
    """Yield words for an entry that its text doesn't have, or has only in several pieces."""
    location, title, text = entry["location"], entry["title"], " ".join([*tags, entry["text"]])
    anchor = location.partition("#")[2]
    if anchor.startswith("eq-"):  # eq-toeplitz
        yield anchor.removeprefix("eq-").replace("-", " ")
    if anchor.startswith("posenc."):
        yield join_words(anchor)
    words = read_search_words().get(location, "").split()
    yield from (join_words(word) if COMPOUND.fullmatch(word) else word for word in words)
    candidates = [*title.split(), *CODE_NAME.findall(text)]
    yield from (join_words(name) for name in candidates if COMPOUND.fullmatch(name))
    yield from (join_words(number) for number in LARGE_NUMBER.findall(f"{title} {text}"))
    yield from (join_words(f"sqrt{root}") for root in SQUARE_ROOT.findall(text))


def join_words(words: str) -> str:
    """Return words as one word, marked so that no search for a plain word finds it."""
    return ONE_WORD + SEPARATOR.sub("", words)


def split_index(site: Path) -> None:
    """Move the entries from the index that every page loads into a file of their own."""
    file = site / "search/search_index.json"
    index = json.loads(file.read_text("utf-8"))
    for name, content in (("entries", index), ("search_index", index | {"docs": []})):
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        file.with_stem(name).write_text(text, "utf-8")
