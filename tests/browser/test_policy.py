"""The policy that is published with the site: as strict as it can be, and the site works.

Every other test of this folder sees the site under it, too, but for text that is run as a script.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import served
from tests.browser.idle import PATIENCE
from tests.browser.visits import ask_for
from website import hosting

CHAPTER = "chapters/relative/"
LISTENS = """
window.forbidden = [];
addEventListener("securitypolicyviolation", event =>
  forbidden.push(`${event.effectiveDirective} ${event.blockedURI}`), true);
"""
WAITS = """([rule, patience]) => new Promise(done => {
  const look = () => forbidden.some(one => one.startsWith(rule)) && done();
  addEventListener("securitypolicyviolation", look, true);
  setTimeout(done, patience);
  look();
})"""
# As Python comes, compiled: the eight bytes that every module begins with.
COMPILED = "WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).catch(() => null)"
# What a stranger would have to bring into a page, and the rule that each breaks.
STRANGE = {
    "script-src-elem inline": "s = document.createElement('script'); s.text = 'window.in = 1'",
    "script-src-elem https": (
        "s = document.createElement('script'); s.src = 'https://example.org/a.js'"
    ),
    "script-src-attr inline": (
        "s = document.createElement('i'); s.setAttribute('onclick', 'window.in = 1'); s.click()"
    ),
    "img-src https": "s = document.createElement('img'); s.src = 'https://example.org/a.png'",
    "frame-src https": "s = document.createElement('iframe'); s.src = 'https://example.org/'",
}


@pytest.fixture(scope="module")
def policy(site):
    return (site / hosting.POLICY).read_text("utf-8").strip()


@pytest.fixture
def visited(page, site):
    """Return a function that does something on a page and tells what a policy has forbidden.

    A browser tells of it in its own time: what should be `broken` is waited for.
    """

    def visit(policy: str, act: Callable[[Page], object] | str, broken: str = "") -> set[str]:
        with served(site, policy) as address:
            page.add_init_script(LISTENS)
            page.goto(address + CHAPTER, wait_until="networkidle")
            _ = page.evaluate(act) if isinstance(act, str) else act(page)
            page.wait_for_load_state("networkidle")
            if broken:
                page.evaluate(WAITS, [broken, PATIENCE * 1000])
            found: list[str] = page.evaluate("forbidden")
        return {re.sub(r"(https?|data):.*", r"\1", one) for one in found}

    return visit


def used(page: Page) -> None:
    """Do what a reader can do that needs a script: look something up, run a card, turn it dark."""
    ask_for(page)
    page.keyboard.type("wave")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#eq-shift ~ details.verification summary").first.click()
    card = page.locator("details.verification .run").first
    card.get_by_role("button", name="Run it here").click()
    expect(card.locator(".run-status")).to_contain_text("The card holds")
    page.locator("#explore-shift").scroll_into_view_if_needed()
    expect(page.locator("#explore-shift[data-state=live]")).to_be_visible()
    page.emulate_media(color_scheme="dark")


def test_nothing_that_a_reader_does_is_forbidden(visited, policy):
    assert visited(policy, used) == set()


@pytest.mark.parametrize("broken", STRANGE)
def test_what_a_stranger_brings_in_is_forbidden(visited, policy, broken):
    act = f"{{ let s; {STRANGE[broken]}; document.body.append(s) }}"

    assert visited(policy, act, broken) == {broken}


def test_no_text_is_run_as_a_script(visited, policy):
    """In a task of its own: what Playwright evaluates may evaluate more."""
    act = "new Promise(done => setTimeout(() => { try { Function('1') } catch { } done() }))"

    assert visited(policy, act, "script-src eval") == {"script-src eval"}


@pytest.mark.parametrize(
    ("allowed", "broken"),
    [
        (r" 'sha256-[^']+'", "script-src-elem inline"),
        (r" 'unsafe-inline'", "style-src-attr inline"),
        (r" data:", "img-src data"),
        (r" 'wasm-unsafe-eval'", "script-src wasm-eval"),
    ],
)
def test_whatever_the_policy_allows_beside_the_site_itself_is_needed(
    visited, policy, allowed, broken
):
    stricter = re.sub(allowed, "", policy)

    assert stricter != policy
    assert broken in visited(stricter, COMPILED, broken)


def test_the_policy_names_each_script_that_stands_in_a_page():
    page = (
        '<script src="a.js"></script><script type="application/json">{}</script><script>b</script>'
    )

    assert re.findall(r"'sha256-[^']+'", hosting.policy([page, page])) == [
        "'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='"
    ]
