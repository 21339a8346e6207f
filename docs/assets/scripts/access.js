// What Material leaves undone for keyboards and screen readers.

/** What is wider than its column can be scrolled by keys, too. */
function reachable(wide) {
  if (wide.scrollWidth > wide.clientWidth + 1) wide.tabIndex = 0;
  else wide.removeAttribute("tabindex");
}

const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) reachable(target);
});

// A block of code is laid out when it comes in sight, and has no width of its own before.
document.addEventListener(
  "contentvisibilityautostatechange",
  ({ target, skipped }) => {
    if (!skipped) reachable(target);
  },
  { capture: true },
);

/** Material puts each copy button into a navigation: a hundred landmarks that lead nowhere. */
function quiet() {
  for (const group of document.querySelectorAll(".md-code__nav:not([role])")) {
    group.setAttribute("role", "none");
  }
}

const known = new WeakSet();

function look() {
  quiet();
  for (const wide of document.querySelectorAll("div.arithmatex, .md-typeset__scrollwrap")) {
    if (!known.has(wide)) widths.observe(wide);
    known.add(wide);
  }
}

// Material makes the frames of tables when it comes, and a button when its code comes in sight.
look();
new MutationObserver(look).observe(document.querySelector("article"), { childList: true, subtree: true });
