"""The search finds what readers type, and is loaded when it is first used."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visits import Visit, focus_search

# A query, and a section that must be among the three best of the first four pages.
SECTIONS = {
    "posenc.apply_rotary": "#posenc.apply_rotary",
    "rotate_half": "chapters/rotary/#pytorch",
    "length of a row": "chapters/relative/#eq-norm",
    "6.1": "chapters/relative/#eq-shift",
    "why both sine and cosine?": "chapters/sinusoidal/#both",
}
# Queries that find the same: a misspelling, a Greek letter, small words.
SAME = {"sinusodial encodnig": "sinusoidal encoding", "ω": "omega", "length of a row": "length row"}

QUERIES = tomllib.loads(Path(__file__).with_name("queries.toml").read_text("utf-8"))
AT_ONCE, AMONG_THREE = 34, 39  # of the 40 queries

ANSWERS = """() => {
  const score = link => +link.querySelector("article").dataset.mdScore;
  return [...document.querySelectorAll(".md-search-result__item")].slice(0, 4)
    .flatMap(page => [...page.querySelectorAll(".md-search-result__link")]
      .sort((a, b) => score(b) - score(a)).slice(0, 3)
      .map(link => link.pathname + link.hash));
}"""


@pytest.fixture(scope="module")
def chapter(site_tab: Page, address: str) -> Iterator[Page]:
    """Open a page for all queries."""
    tab = site_tab.context.new_page()
    tab.goto(address + "chapters/order/")
    yield tab
    tab.close()


def search(page: Page, query: str) -> list[str]:
    """Type a query into the search, and return its first answers."""
    for text, message in (("", "^Type"), (query, r"^(No|\d)")):
        page.locator("[data-md-component=search-query]").fill(text)
        page.keyboard.press("Shift")  # the search listens to keys
        page.wait_for_function(
            f"/{message}/.test(document.querySelector('.md-search-result__meta').textContent)"
        )
    answers: list[str] = page.evaluate(ANSWERS)
    return answers


@pytest.mark.parametrize(("query", "place"), SECTIONS.items(), ids=SECTIONS)
def test_a_query_finds_its_section(chapter, query, place):
    answers = search(chapter, query)

    assert any(answer.endswith(place) for answer in answers), answers


def test_what_readers_type_finds_the_page_that_answers(chapter):
    wanted = {query: page for group in QUERIES.values() for query, page in group.items()}
    places = {}
    for query, page in wanted.items():
        answers = [
            answer.partition("/book/")[2].partition("#")[0] for answer in search(chapter, query)
        ]
        pages = list(dict.fromkeys(answers))
        places[query] = pages.index(page) + 1 if page in pages else 9

    missed = {query: place for query, place in places.items() if place != 1}
    assert len(places) == 40
    assert sum(place == 1 for place in places.values()) >= AT_ONCE, missed
    assert sum(place <= 3 for place in places.values()) >= AMONG_THREE, missed


@pytest.mark.parametrize(("query", "other"), SAME.items(), ids=SAME)
def test_queries_that_mean_the_same_find_the_same(chapter, query, other):
    assert search(chapter, query) == search(chapter, other) != []


def test_the_index_is_loaded_with_the_first_query(page, address):
    visit = Visit(page, address)
    visit.open("chapters/order/")
    before = list(visit.requests)
    focus_search(page)
    page.keyboard.type("wave")
    page.wait_for_selector(".md-search-result__item")

    assert not [url for url in before if url.endswith("entries.json") or "workers/" in url]
    assert [url for url in visit.requests if url.endswith("search/entries.json")]


def test_an_index_that_failed_to_load_is_loaded_again(new_tab, address):
    new_tab.route("**/search/entries.json", lambda route: route.abort())
    new_tab.goto(address + "chapters/order/")
    focus_search(new_tab)
    new_tab.keyboard.type("wave")
    expect(new_tab.locator(".md-search-result__meta")).to_contain_text("No")

    new_tab.unroute("**/search/entries.json")
    new_tab.locator(".md-search__input").fill("")
    expect(new_tab.locator(".md-search-result__meta")).to_have_text("Type to start searching")
    new_tab.keyboard.type("waves")
    new_tab.wait_for_selector(".md-search-result__item")
