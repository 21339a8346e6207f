"""The book in plain Python-Markdown, outside of MkDocs: what `render.extension` makes of it."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from markdown import Markdown
from mkdocs.utils.yaml import yaml_load

from check import fences, formulas
from check.cards import IDENTIFIER, find_cards
from check.formulas import MathML
from check.page_source import read_page, split_front_matter
from check.paths import DOCS, ROOT

SETTINGS = (ROOT / "mkdocs.yml").read_text("utf-8")
CODE = re.compile(r"<pre>.*?</pre>|<code.*?</code>", re.DOTALL)
CARD = re.compile(
    r'<div class="admonition statement" id="(eq-[a-z0-9-]+)">\n'
    r'<p class="admonition-title"><a class="number" href="#\1"[^>]*>([\d.]+)</a>'
)


def extensions() -> dict[str, dict[str, Any]]:
    """Return the extensions of mkdocs.yml with their options."""
    text = SETTINGS.replace("!relative $config_dir", str(ROOT))  # a tag for MkDocs alone
    found: dict[str, dict[str, Any]] = {}
    for said in yaml_load(text)["markdown_extensions"]:
        found |= said if isinstance(said, dict) else {said: {}}
    return found


def plain(text: str) -> str:
    """Return what Markdown makes of a text that has formulas."""
    known = extensions()
    more = MathML(lambda message: None)
    return Markdown(extensions=[*known, more], extension_configs=known).convert(text)


def convert(text: str, folder: Path | None = None) -> str:
    """Return what Markdown makes of a text, knowing the book."""
    known = extensions() | {"render.extension": {"folder": str(folder or "")}}
    return Markdown(extensions=[*known], extension_configs=known).convert(text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the drawings go."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module", params=["order", "relative"])
def chapter(request: pytest.FixtureRequest, folder: Path) -> tuple[int, str, str]:
    """Return a chapter: its number, its text, and its article."""
    name = f"chapters/{request.param}.md"
    text = split_front_matter(read_page(DOCS / name))[1]
    number = re.findall(r"- (chapters/.*\.md)", SETTINGS).index(name) + 1
    return number, text, convert(text, folder)


def test_cards_are_numbered_in_order(chapter):
    number, text, article = chapter
    expected = [(one, f"{number}.{place}") for place, one in enumerate(IDENTIFIER.findall(text), 1)]

    assert CARD.findall(article) == expected
    assert len(expected) > 5
    supports = Counter(card.support.kind for card in find_cards(text))
    assert sum(supports.values()) == len(expected)
    assert article.count('<div class="admonition implementation">') == supports["implementation"]
    assert article.count('<div class="admonition proof">') >= supports["proof"]
    assert article.count('<details class="verification">') == len(expected)
    assert article.count(">checked on every build</span>") == len(expected)
    assert "does not hold" not in article


def test_formulas_are_mathml(chapter):
    _, text, article = chapter
    prose = fences.keep_prose(text)

    assert article.count('display="block"') == len(formulas.DISPLAY.findall(prose))
    assert article.count("<math") >= len(formulas.INLINE.findall(formulas.DISPLAY.sub("", prose)))
    assert r"\(" not in CODE.sub("", article)
    assert "$" not in CODE.sub("", article)


def test_references_are_links_with_numbers(chapter):
    number, text, article = chapter
    own = IDENTIFIER.findall(text)
    numbered = {one: f"({number}.{place})" for place, one in enumerate(own, 1)}
    said = re.findall(r"\[(eq-[a-z0-9-]+)\]", fences.keep_prose(text))
    links = re.findall(
        r'<a class="eq" href="([a-z.]*)#([a-z0-9-]+)"[^>]*>(\([\d.]+\))</a>', article
    )

    assert [one for _, one, _ in links] == said
    assert all(shown == numbered[one] for page, one, shown in links if not page)
    assert all((page == "") == (one in own) for page, one, _ in links)
    assert "[eq-" not in CODE.sub("", article)


def test_figures_have_their_drawings_and_code_is_included(chapter, folder):
    _, text, article = chapter
    names = [f.attributes["id"] for f in fences.find_fences(text) if "figure" in f.classes]

    assert re.findall(r'<figure id="([^"]+)">', article) == names
    for name in names:
        for theme in ("light", "dark"):
            (source,) = re.findall(rf'src="\.\./([^"]+/{name}-{theme}\.svg)#only-{theme}"', article)
            assert "<svg" in (folder / source).read_text("utf-8")
    assert names
    assert "--8&lt;--" not in article


@pytest.mark.parametrize(
    "text",
    [
        "# A page\n\nSee [eq-norm][], and [it](#page).\n",
        "/// statement | Norm\n    attrs: {id: eq-norm}\n\nIt is.\n///\n",
        split_front_matter(read_page(DOCS / "chapters/order.md"))[1].replace("the", "teh", 1),
    ],
    ids=["prose", "card", "another"],
)
def test_what_is_no_page_of_the_book_stays_as_it_is(text):
    assert convert(text) == plain(text)
