"""What axe says of a page, asked so that every page can be judged in a second.

Most of axe's time goes into contrast: for each text it looks for what lies behind. So texts
are sorted by what decides their contrast, in both themes, and one of each kind is judged,
once in all pages. The rest goes into walking over elements, most of which are the tokens of
code and the parts of formulas: while axe looks, code has only those that carry more than a class
or are to be judged, and a formula that has none of these is a box of its size with its text.
No rule but those of colour says anything of a bare `span`, or of what stands in a formula.
"""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.idle import at_rest

# Rules that colours decide; all others see the same page in each theme.
COLOURS = ["color-contrast", "link-in-text-block"]

# Of texts, and of links among texts, only those that are marked are judged.
PREPARE = """axe.configure({rules: [
  {id: "color-contrast", selector: "[data-kind]"},
  {id: "link-in-text-block", selector: "a[href]:is([data-kind], :has([data-kind]))"},
]})"""

# For each theme, mark the first element of each kind that is not known yet. The theme is what
# the body's attribute says; nothing is drawn in between. What counts is the colour of the text,
# whether axe takes it for large, and what lies behind; of a link, too, how it and the text
# around it look.
KINDS = """([known, schemes]) => {
  const seen = new Set(known);
  const {body} = document;
  const {mdColorScheme} = body.dataset;
  const says = [...body.querySelectorAll("*")].filter(element =>
    (element.matches("input, select, textarea")
      || [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()))
    && element.checkVisibility({visibilityProperty: true}));
  const counts = {};
  for (const scheme of schemes) {
    body.dataset.mdColorScheme = scheme;
    const grounds = new Map([[null, {paints: "", veils: ""}]]);
    const ground = element => {
      if (!grounds.has(element)) {
        const style = getComputedStyle(element);
        const {paints, veils} = ground(element.parentElement);
        const image = style.backgroundImage === "none" ? "" : style.backgroundImage;
        const veil = style.opacity + style.filter === "1none" ? "" : style.opacity + style.filter;
        const own = style.backgroundColor + image + veil;
        const clear = own === "rgba(0, 0, 0, 0)";
        const hides = /^rgb\\(/.test(style.backgroundColor) && !image && !veil && !veils;
        grounds.set(element, {
          paints: clear ? paints : hides ? own : `${paints}|${own}`,
          veils: veils + veil,
        });
      }
      return grounds.get(element);
    };
    let count = 0;
    for (const element of says) {
      const style = getComputedStyle(element);
      const points = Math.ceil(72 * parseFloat(style.fontSize)) / 96;
      const large = points >= 18 || (points >= 14 && style.fontWeight >= 700);
      const link = element.closest("a");
      const looks = ({color, fontWeight, textDecorationLine}) =>
        [color, fontWeight, textDecorationLine];
      const block = link && getComputedStyle(link.parentElement);
      const around = link && [looks(style), looks(block), style.fontSize === block.fontSize];
      const {paints, veils} = ground(element);
      const kind = [style.color, large, style.textShadow, paints, veils, around].join();
      if (seen.has(kind)) continue;
      seen.add(kind);
      element.dataset.kind = `${element.dataset.kind ?? ""} ${scheme}`;
      count += 1;
    }
    counts[scheme] = count;
  }
  body.dataset.mdColorScheme = mdColorScheme;
  return [[...seen], counts];
}"""

# Without the tokens of code that no rule looks at, and without the parts of formulas, but of those
# within something that can be scrolled sideways; then with all of them again, and no marks.
THIN = """() => {
  window.whole = [...document.querySelectorAll("code")].map(code => [code, [...code.childNodes]]);
  const fitting = new Map([[null, true]]);
  const fits = element => {
    if (!fitting.has(element)) {
      const wide = element.scrollWidth > element.clientWidth && element.clientWidth > 0;
      fitting.set(element, !wide && fits(element.parentElement));
    }
    return fitting.get(element);
  };
  const formulas = [...document.querySelectorAll("math")]
    .filter(math => !math.matches("[data-kind]") && !math.querySelector("[data-kind], [id], a"))
    .filter(math => math.checkVisibility() && fits(math))
    .map(math => [math, math.getBoundingClientRect()]);
  window.formulas = formulas.map(([math, {width, height}]) => {
    const thin = math.cloneNode(false);
    thin.textContent = math.textContent;
    const display = math.getAttribute("display") === "block" ? "block" : "inline-block";
    Object.assign(thin.style, {display, width: `${width}px`, height: `${height}px`});
    thin.style.overflow = "hidden";
    return [math, thin];
  });
  for (const [math, thin] of window.formulas) math.replaceWith(thin);
  for (const [code] of window.whole) {
    const thin = code.cloneNode(true);
    for (const token of [...thin.querySelectorAll("span")].reverse()) {
      const bare = [...token.attributes].every(({name}) => name === "class");
      if (bare && !token.querySelector("[data-kind]")) token.replaceWith(...token.childNodes);
    }
    thin.normalize();
    code.replaceChildren(...thin.childNodes);
  }
}"""
WHOLE = """() => {
  for (const [code, tokens] of window.whole) code.replaceChildren(...tokens);
  for (const [math, thin] of window.formulas) thin.replaceWith(math);
  delete window.whole;
  delete window.formulas;
  for (const marked of document.querySelectorAll("[data-kind]")) delete marked.dataset.kind;
}"""

ASK = """async ([scheme, enabled, only]) => {
  const {body} = document;
  const {mdColorScheme} = body.dataset;
  body.dataset.mdColorScheme = scheme;
  const options = {resultTypes: ["violations"], preload: false};
  if (only) options.runOnly = enabled;
  else options.rules = enabled;
  const found = await axe.run(document, options);
  body.dataset.mdColorScheme = mdColorScheme;
  return found.violations.flatMap(violation => violation.nodes.map(
    node => `${scheme}: ${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
}"""


def prepare(page: Page) -> None:
    """Bring axe to a page, which from now on changes its colours at once."""
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    page.evaluate(AXE_SCRIPT)
    page.evaluate(PREPARE)


def complaints(page: Page, known: set[str]) -> list[str]:
    """Return what is wrong with a page as it stands, and with its colours in both themes.

    Kinds of text that are known are not judged again; those that are judged are known from now on.
    """
    here = page.evaluate("document.body.dataset.mdColorScheme")
    other = {"default": "slate", "slate": "default"}[here]
    kinds, counts = page.evaluate(KINDS, [sorted(known), [here, other]])
    known.update(kinds)
    page.evaluate(THIN)
    at_rest(page)  # code that this brought near is laid out, and then made reachable by keys
    rules = {rule: {"enabled": bool(counts[here])} for rule in COLOURS}
    found: list[str] = page.evaluate(ASK, [here, rules, False])
    if counts[other]:
        found += page.evaluate(ASK, [other, COLOURS, True])
    page.evaluate(WHOLE)
    return found
