// Accessibility fixes for Material: scrolling by keyboard, and fewer landmarks.

/** Make elements that overflow their column focusable, so that keys scroll them. */
function reachable(elements) {
  // All are measured before any changes, or the browser would compute the layout again for each.
  const measured = elements.map((wide) => [wide, wide.scrollWidth - wide.clientWidth, wide.scrollLeft]);
  for (const [wide, hidden, scrolled] of measured) {
    if (hidden > 1) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
    wide.toggleAttribute("data-more", hidden - scrolled > 1);
  }
}

/** Mark an element with hidden content on its right, which scrolling.css fades out. */
function more(wide) {
  wide.toggleAttribute("data-more", wide.scrollWidth - wide.clientWidth - wide.scrollLeft > 1);
}

document.addEventListener("scroll", ({ target }) => target !== document && more(target), {
  capture: true,
  passive: true,
});

/** Whether the content of a box has a layout; browsers skip it for code outside the viewport. */
const laidOut = (box) => box.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) ?? true;

const widths = new ResizeObserver((entries) => {
  reachable(entries.map(({ target }) => target).filter(laidOut));
});

// Code gets its layout when it enters the viewport. On a slow machine this event may be late, but
// then there is another one.
document.addEventListener(
  "contentvisibilityautostatechange",
  ({ target }) => {
    if (laidOut(target)) reachable([target]);
  },
  { capture: true },
);

// In Firefox, Material makes visible code unreachable again while the page loads.
addEventListener("load", () => reachable([...document.querySelectorAll("pre > code")].filter(laidOut)));

// Code in a closed element has no layout.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!target.open) return;
    reachable([...target.querySelectorAll("pre > code")]);
  },
  { capture: true },
);

/** Remove the landmark that Material creates around each copy button. */
function quiet() {
  for (const group of document.querySelectorAll(".md-code__nav:not([role])")) {
    group.setAttribute("role", "none");
  }
}

for (const wide of document.querySelectorAll("div.arithmatex, .framed, pre > code")) widths.observe(wide);

// Material creates a button when its code enters the viewport.
quiet();
new MutationObserver(quiet).observe(document.querySelector("article"), { childList: true, subtree: true });
