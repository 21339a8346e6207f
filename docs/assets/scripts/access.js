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

for (const wide of document.querySelectorAll("div.arithmatex, .framed")) widths.observe(wide);

// Material makes a button when its code comes in sight.
quiet();
new MutationObserver(quiet).observe(document.querySelector("article"), { childList: true, subtree: true });
