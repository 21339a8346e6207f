"""The search lands on the section that answers, and is loaded when it is first used."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import find_violations
from tests.browser.conftest import open_tab
from tests.browser.visits import BEYOND_WINDOW, Visit, focus_search

# Queries that find the same: a misspelling, a Greek letter, small words.
SAME = {"sinusodial encodnig": "sinusoidal encoding", "ω": "omega", "length of a row": "length row"}

QUERIES = tomllib.loads(Path(__file__).with_name("queries.toml").read_text("utf-8"))
# Groups of queries, and how many must land first, and among the first three results.
GOALS = [
    (("tasks", "models", "terms", "errors", "questions", "misspelt"), 40, 38, 39),
    (("earlier",), 22, 20, 22),
    (("later",), 20, 16, 18),
    (("latest",), 14, 13, 14),
]

# Where the main links of the results lead.
ANSWERS = """() => [...document.querySelectorAll(".md-search-result__item a:first-child")]
  .map(link => link.pathname + link.hash)"""

# The results that are seen in full, their excerpts, and how many lines these have.
RESULTS = """() => {
  const panel = document.querySelector(".md-search__scrollwrap").getBoundingClientRect();
  return [...document.querySelectorAll(".md-search-result__item")]
    .filter(item => item.getBoundingClientRect().bottom <= Math.min(panel.bottom, innerHeight) + 1)
    .map(item => {
      const text = item.querySelector(".result-text");
      const lines = text.clientHeight / parseFloat(getComputedStyle(text).lineHeight);
      return { text: text.textContent, lines, marked: !!item.querySelector("mark") };
    });
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


@pytest.mark.parametrize(("groups", "count", "first", "among_three"), GOALS)
def test_the_search_lands_on_the_sections_that_answer(chapter, groups, count, first, among_three):
    wanted = {query: places for group in groups for query, places in QUERIES[group].items()}
    places = {}
    for query, sections in wanted.items():
        found = [answer.partition("/book/")[2] for answer in search(chapter, query)]
        places[query] = next((n for n, place in enumerate(found, 1) if place in sections), 99)

    missed = {query: place for query, place in places.items() if place != 1}
    assert len(places) == count
    assert count - len(missed) >= first, missed
    assert sum(place <= 3 for place in places.values()) >= among_three, missed


@pytest.mark.parametrize(("width", "height", "seen"), [(1280, 800, 4), (390, 844, 5)])
@pytest.mark.parametrize("query", ["kv cache left padding", "llama 3.1 rope scaling", "why 10000"])
def test_results_are_short_and_mark_the_words(page, address, query, width, height, seen):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address + "chapters/order/")
    focus_search(page)
    page.keyboard.type(query)
    page.wait_for_selector(".md-search-result__item")
    results = page.evaluate(RESULTS)

    assert len(results) >= seen
    assert results[0]["marked"]
    assert max(result["lines"] for result in results) < 2.1
    assert not [text for text in results if re.search(r"checked$|&\w+;|</?\w", text["text"])]
    assert page.evaluate(BEYOND_WINDOW) == []
    assert find_violations(page, ".md-search") == []


def test_an_excerpt_begins_with_its_sentence_while_a_wanted_word_is_in_view(chapter):
    search(chapter, "lost in the middle")
    excerpt = chapter.locator(".md-search-result__item .result-text").first

    expect(excerpt).to_have_text(re.compile("^What Liu, Lin et al."))


@pytest.mark.parametrize("name", ["browser", "firefox"])
def test_keys_lead_to_the_answer(request, name, address):
    browser: Browser = request.getfixturevalue(name)
    with open_tab(browser) as tab:
        tab.goto(address + "chapters/order/")
        focus_search(tab)
        tab.keyboard.type("why 10000")
        best = tab.locator(".md-search-result__item a").first
        expect(best).to_have_attribute("href", re.compile("#base$"))
        expect(tab.locator("[role=status].md-search-result__meta")).to_contain_text("pages")
        tab.keyboard.press("ArrowDown")
        expect(best).to_be_focused()
        tab.keyboard.press("Escape")
        expect(tab.locator("#__search")).not_to_be_checked()

        focus_search(tab)
        tab.keyboard.press("Enter")
        tab.wait_for_url(re.compile(r"/chapters/separation/.*#base$"))
        expect(tab.locator("#base")).to_be_in_viewport()


@pytest.mark.parametrize("name", ["browser", "firefox"])
def test_the_focus_stays_on_a_result_when_newer_results_replace_it(request, name, address):
    with open_tab(request.getfixturevalue(name)) as tab:
        tab.goto(address + "chapters/order/")
        focus_search(tab)
        tab.keyboard.type("wave")
        best = tab.locator(".md-search-result__item a").first
        expect(best).to_be_visible()
        tab.keyboard.press("ArrowDown")
        expect(best).to_be_focused()

        tab.locator(".md-search__input").evaluate("""(query) => {
          query.value = "why 10000";
          query.dispatchEvent(new Event("keyup"));
        }""")
        expect(best).to_have_attribute("href", re.compile("#base$"))
        expect(best).to_be_focused()


def test_without_scripts_the_questions_are_linked(scriptless, address):
    scriptless.goto(address + "chapters/order/")
    scriptless.get_by_role("link", name="Find an answer").click()

    assert scriptless.url == address + "reference/questions/"


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
