// What Material leaves undone for keyboards and screen readers.

/** What is wider than its column can be scrolled by keys, too, and shows it. */
function reachable(wide) {
  if (wide.scrollWidth > wide.clientWidth + 1) wide.tabIndex = 0;
  else wide.removeAttribute("tabindex");
  more(wide);
}

/** Mark what has more to its right than is seen; scrolling.css lets it fade out there. */
function more(wide) {
  wide.toggleAttribute("data-more", wide.scrollWidth - wide.clientWidth - wide.scrollLeft > 1);
}

document.addEventListener("scroll", ({ target }) => target !== document && more(target), {
  capture: true,
  passive: true,
});

/** Whether what is in a box has a width: code out of sight is not laid out, and as wide as its box. */
const laidOut = (box) => box.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) ?? true;

const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) if (laidOut(target)) reachable(target);
});

// A block of code is laid out when it comes in sight. (A slow machine says so when the reader has
// gone on, and then says it again.)
document.addEventListener(
  "contentvisibilityautostatechange",
  ({ target }) => {
    if (laidOut(target)) reachable(target);
  },
  { capture: true },
);

// What was folded has been laid out for nobody.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!target.open) return;
    for (const code of target.querySelectorAll("pre > code")) reachable(code);
  },
  { capture: true },
);

/** Material puts each copy button into a navigation: a hundred landmarks that lead nowhere. */
function quiet() {
  for (const group of document.querySelectorAll(".md-code__nav:not([role])")) {
    group.setAttribute("role", "none");
  }
}

for (const wide of document.querySelectorAll("div.arithmatex, .framed, pre > code")) widths.observe(wide);

// Material makes a button when its code comes in sight.
quiet();
new MutationObserver(quiet).observe(document.querySelector("article"), { childList: true, subtree: true });
