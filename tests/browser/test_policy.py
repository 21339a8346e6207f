"""The policy that is published with the site: as strict as it can be, and nothing is let in.

That the site works under it, every other test of this folder sees, since all are served with it.
"""

import re

import pytest

from tests.browser.conftest import served
from website import hosting

CHAPTER = "chapters/relative/"
LISTENS = """
window.forbidden = [];
addEventListener("securitypolicyviolation", event =>
  forbidden.push(`${event.effectiveDirective} ${event.blockedURI}`), true);
"""
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
    """Return a function that opens a page under a policy and tells what that has forbidden."""

    def visit(policy: str, then: str = "null") -> set[str]:
        with served(site, policy) as address:
            page.add_init_script(LISTENS)
            page.goto(address + CHAPTER, wait_until="networkidle")
            page.evaluate(then)
            page.wait_for_load_state("networkidle")
            found: list[str] = page.evaluate("forbidden")
        return {re.sub(r"(https?|data):.*", r"\1", one) for one in found}

    return visit


def test_nothing_of_a_page_is_forbidden(visited, policy):
    assert visited(policy) == set()


@pytest.mark.parametrize("broken", STRANGE)
def test_what_a_stranger_brings_in_is_forbidden(visited, policy, broken):
    assert visited(policy, f"{{ let s; {STRANGE[broken]}; document.body.append(s) }}") == {broken}


@pytest.mark.parametrize(
    ("allowed", "broken"),
    [
        (r" 'sha256-[^']+'", "script-src-elem inline"),
        (r" 'unsafe-inline'", "style-src-attr inline"),
        (r" data:", "img-src data"),
    ],
)
def test_whatever_the_policy_allows_beside_the_site_itself_is_needed(
    visited, policy, allowed, broken
):
    stricter = re.sub(allowed, "", policy)

    assert stricter != policy
    assert broken in visited(stricter)


def test_the_policy_names_each_script_that_stands_in_a_page():
    page = (
        '<script src="a.js"></script><script type="application/json">{}</script><script>b</script>'
    )

    assert re.findall(r"'sha256-[^']+'", hosting.policy([page, page])) == [
        "'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='"
    ]
