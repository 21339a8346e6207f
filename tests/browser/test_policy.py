"""The content security policy: the site works under it, and strangers' scripts don't."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import serve_site
from tests.browser.visits import focus_search
from tests.browser.waiting import PATIENCE

LISTEN = """
window.violations = [];
addEventListener("securitypolicyviolation", event =>
  violations.push(`${event.effectiveDirective} ${event.blockedURI}`), true);
"""
# The browser reports a violation in its own time.
WAIT_FOR_VIOLATION = """([violation, patience]) => new Promise(done => {
  const look = () => violations.some(one => one.startsWith(violation)) && done();
  addEventListener("securitypolicyviolation", look, true);
  setTimeout(done, patience);
  look();
})"""

# The header of every module of WebAssembly, such as Pyodide's.
COMPILE = "WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).catch(() => null)"

# What a stranger could make a page do, by the rule that forbids it. (A text is evaluated in a
# task of its own, since what Playwright evaluates may do that.)
ATTACKS = {
    "script-src-elem inline": "insert('script', {text: 'window.in = 1'})",
    "script-src-elem https": "insert('script', {src: 'https://example.org/a.js'})",
    "script-src-attr inline": "insert('i', {}).setAttribute('onclick', 'window.in = 1')",
    "img-src https": "insert('img', {src: 'https://example.org/a.png'})",
    "frame-src https": "insert('iframe', {src: 'https://example.org/'})",
    "script-src eval": "setTimeout(() => Function('1'))",
}
INSERT = """const insert = (tag, properties) =>
  document.body.appendChild(Object.assign(document.createElement(tag), properties));"""


@pytest.fixture
def collect_violations(page, site):
    """Return a function that acts on a page and returns what its policy has forbidden."""

    def collect(policy: str, act: Callable[[Page], None] | str, wait_for: str = "") -> set[str]:
        with serve_site(site, policy) as address:
            page.add_init_script(LISTEN)
            page.goto(address + "chapters/relative/", wait_until="networkidle")
            _ = page.evaluate(act) if isinstance(act, str) else act(page)
            page.wait_for_load_state("networkidle")
            if wait_for:
                page.evaluate(WAIT_FOR_VIOLATION, [wait_for, PATIENCE * 1000])
            found: list[str] = page.evaluate("violations")
        return {re.sub(r"(https?|data):.*", r"\1", one) for one in found}

    return collect


def use_page(page: Page) -> None:
    """Do what needs a script: search, run a card, start an explorer, switch to dark."""
    focus_search(page)
    page.keyboard.type("wave")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#eq-shift ~ details.verification summary").first.click()
    panel = page.locator("details.verification .run").first
    panel.get_by_role("button", name="Run it here").click()
    expect(panel.locator(".run-status")).to_contain_text("The card holds")
    page.locator("#explore-shift").scroll_into_view_if_needed()
    expect(page.locator("#explore-shift[data-state=live]")).to_be_visible()
    page.emulate_media(color_scheme="dark")


def test_nothing_that_a_reader_does_is_forbidden(collect_violations, policy):
    assert collect_violations(policy, use_page) == set()


@pytest.mark.parametrize("violation", ATTACKS)
def test_what_a_stranger_brings_into_a_page_is_forbidden(collect_violations, policy, violation):
    act = f"() => {{ {INSERT} {ATTACKS[violation]} }}"

    assert collect_violations(policy, act, violation) == {violation}


@pytest.mark.parametrize(
    ("allowed", "violation"),
    [
        (r" 'sha256-[^']+'", "script-src-elem inline"),
        (r" 'unsafe-inline'", "style-src-attr inline"),
        (r" data:", "img-src data"),
        (r" 'wasm-unsafe-eval'", "script-src wasm-eval"),
    ],
)
def test_each_exception_of_the_policy_is_needed(collect_violations, policy, allowed, violation):
    stricter = re.sub(allowed, "", policy)

    assert stricter != policy
    assert violation in collect_violations(stricter, COMPILE, violation)
