"""Ask axe what keeps a page from being used by everybody."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

RUN = """async ([selector, colours]) => {
  const rules = colours ? {}
    : {"color-contrast": {enabled: false}, "link-in-text-block": {enabled: false}};
  const root = selector ? document.querySelector(selector) : document;
  const found = await axe.run(root, {resultTypes: ["violations"], preload: false, rules});
  return found.violations.flatMap(({id, nodes}) =>
    nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
}"""

# Controls that the Tab key doesn't reach, which axe doesn't judge. In Material, Escape does what
# the button in the search does, Home what the button to the top does, and arrows reach results.
UNREACHABLE = """[...document.querySelectorAll(
    "a, button, input, select, textarea, summary, [role=button], [role=link], [role=application]")]
  .filter(one => one.tabIndex < 0)
  .filter(one => !one.matches(".md-search__icon, .md-search-result__link, .md-top"))
  .filter(one => one.checkVisibility({visibilityProperty: true}))
  .map(one => `not reached by the Tab key: ${one.outerHTML.slice(0, 200)}`)"""


def find_violations(page: Page, selector: str = "", colours: bool = True) -> list[str]:
    """List what is wrong with a page, or with the element of a selector, as it is shown now.

    Judging colours takes most of the time: seconds for a chapter.
    """
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN, [selector, colours])
    found += page.evaluate(UNREACHABLE)
    return found
