// What Material leaves undone for keyboards and screen readers.

/** A formula or a table that is wider than its column can be scrolled by keys, too. */
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollWidth > target.clientWidth + 1;
    if (scrolls) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});

/** Material puts each copy button into a navigation: a hundred landmarks that lead nowhere. */
function quiet() {
  for (const group of document.querySelectorAll(".md-code__nav")) group.setAttribute("role", "none");
}

// Material makes its buttons and the frames of tables when it hears this; it has listened before.
addEventListener("DOMContentLoaded", () => {
  quiet();
  for (const wide of document.querySelectorAll("div.arithmatex, .md-typeset__scrollwrap")) widths.observe(wide);
});
