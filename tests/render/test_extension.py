"""The Python-Markdown extension `render.extension`, used without MkDocs."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from markdown import Markdown
from mkdocs.utils.yaml import yaml_load

from check import fences, formulas
from check.cards import IDENTIFIER, find_blocks
from check.formulas import MathML
from check.page_source import read_page, split_front_matter
from check.paths import DOCS, ROOT

SETTINGS = (ROOT / "mkdocs.yml").read_text("utf-8")
CODE = re.compile(r"<pre>.*?</pre>|<code.*?</code>", re.DOTALL)
CARD = re.compile(
    r'<div class="admonition statement" id="(eq-[a-z0-9-]+)">\n'
    r'<p class="admonition-title"><a class="number" href="#\1"[^>]*>([\d.]+)</a>'
)


def read_extensions() -> dict[str, dict[str, Any]]:
    """Return the extensions of mkdocs.yml with their options."""
    text = SETTINGS.replace("!relative $config_dir", str(ROOT))  # a tag that only MkDocs knows
    extensions: dict[str, dict[str, Any]] = {}
    for entry in yaml_load(text)["markdown_extensions"]:
        extensions |= entry if isinstance(entry, dict) else {entry: {}}
    return extensions


def convert_without_book(text: str) -> str:
    """Return the HTML of a text with formulas, converted without the book's extension."""
    options = read_extensions()
    mathml = MathML(lambda message: None)
    return Markdown(extensions=[*options, mathml], extension_configs=options).convert(text)


def convert(text: str, folder: Path | None = None) -> str:
    """Return the HTML of a text, converted with the book's extension."""
    options = read_extensions() | {"render.extension": {"folder": str(folder or "")}}
    return Markdown(extensions=[*options], extension_configs=options).convert(text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for drawings."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module", params=["order", "relative"])
def chapter(request: pytest.FixtureRequest, folder: Path) -> tuple[int, str, str]:
    """Return the number, the text and the HTML of a chapter."""
    name = f"chapters/{request.param}.md"
    text = split_front_matter(read_page(DOCS / name))[1]
    number = re.findall(r"- (chapters/.*\.md)", SETTINGS).index(name) + 1
    return number, text, convert(text, folder)


def test_cards_are_numbered_in_order(chapter):
    number, text, article = chapter
    ids = IDENTIFIER.findall(text)
    expected = [(name, f"{number}.{place}") for place, name in enumerate(ids, start=1)]

    assert CARD.findall(article) == expected
    assert len(expected) > 5
    blocks = Counter(block.kind for block in find_blocks(text))
    assert blocks["statement"] == blocks["verification"] == len(expected)
    assert article.count('<div class="admonition implementation">') == blocks["implementation"]
    assert article.count('<details class="package">') == blocks["package"]
    assert article.count('<div class="admonition proof">') >= blocks["proof"]
    assert article.count('<details class="verification">') == len(expected)
    assert article.count(">checked on every build</span>") == len(expected)
    assert "Failures on this page" not in article


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
    numbers = {name: f"({number}.{place})" for place, name in enumerate(own, start=1)}
    references = re.findall(r"\[(eq-[a-z0-9-]+)\]", fences.keep_prose(text))
    links = re.findall(
        r'<a class="eq" href="([a-z.]*)#([a-z0-9-]+)"[^>]*>(\([\d.]+\))</a>', article
    )

    assert [name for _, name, _ in links] == references
    assert all(words == numbers[name] for page, name, words in links if not page)
    assert all((page == "") == (name in own) for page, name, _ in links)
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
def test_text_that_is_no_page_is_not_changed(text):
    assert convert(text) == convert_without_book(text)
