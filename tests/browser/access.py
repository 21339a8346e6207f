"""What axe says of a page, asked so that every page can be judged in seconds.

Most of axe's time goes into contrast: for each text it looks for what lies behind. So texts
are sorted by what decides their contrast (colours, grounds, size, weight, of the text and
all that it stands in), and one of each kind is judged, once in all pages.
"""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Rules that colours decide; all others see the same page in each theme.
COLOURS = ["color-contrast", "link-in-text-block"]

ASK = """async ([rules, only, within]) => {
  const options = {resultTypes: ["violations"], preload: false};
  if (only) options.runOnly = rules;
  else options.rules = Object.fromEntries(rules.map(rule => [rule, {enabled: false}]));
  const found = await axe.run(within ? {include: within} : document, options);
  return found.violations.flatMap(violation => violation.nodes.map(
    node => `${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
}"""

# The first element of each kind gets a mark to find it by.
KINDS = """known => {
  const seen = new Set(known);
  const fresh = [];
  const grounds = new Map();
  const ground = element => {
    if (!element) return "";
    if (!grounds.has(element)) {
      const style = getComputedStyle(element);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter];
      const clear = own.join() === "rgba(0, 0, 0, 0),none,1,none";
      grounds.set(element, ground(element.parentElement) + (clear ? "" : "|" + own));
    }
    return grounds.get(element);
  };
  for (const marked of document.querySelectorAll("[data-kind]")) delete marked.dataset.kind;
  for (const element of document.body.querySelectorAll("*")) {
    const says = [...element.childNodes].some(
      node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!says || !element.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(element);
    const link = element.closest("a") ? "link" : "";
    const kind = [style.color, style.fontSize, style.fontWeight, style.textDecorationLine,
                  style.textShadow, link, ground(element)].join();
    if (seen.has(kind)) continue;
    seen.add(kind);
    fresh.push(kind);
    element.dataset.kind = fresh.length;
  }
  return fresh;
}"""


def prepare(page: Page) -> None:
    """Bring axe to a page, which from now on changes its colours at once."""
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    page.evaluate(AXE_SCRIPT)


def structure(page: Page) -> list[str]:
    """Return what is wrong with a page as it stands, whatever its colours."""
    return _ask(page, only=False)


def colours(page: Page, known: set[str]) -> list[str]:
    """Return what is wrong with colours that are not yet known, and know them from now on."""
    fresh = page.evaluate(KINDS, sorted(known))
    known.update(fresh)
    return _ask(page, only=True, within=[["[data-kind]"]]) if fresh else []


def _ask(page: Page, *, only: bool, within: list[Any] | None = None) -> list[str]:
    complaints: list[str] = page.evaluate(ASK, [COLOURS, only, within])
    return complaints
