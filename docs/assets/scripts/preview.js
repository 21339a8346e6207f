// What a reference points at and what an abbreviation means, shown beside it while the pointer
// or the focus rests there. The pointer may move into the card; Escape puts it away; a finger
// follows a link as ever, and asks an abbreviation.

const REFERENCES = "a.eq, a.term, article abbr";
const CARDS = new URL("../previews/", import.meta.url);
const BEFORE = 200; // ms: a pointer that passes by opens nothing
const AFTER = 300; // ms: time to move from the link into the card
const GAP = 6; // px

const card = document.createElement("div");
card.id = "preview";
card.className = "preview md-typeset";
card.setAttribute("role", "tooltip");
card.hidden = true;
document.body.append(card);

// Titles would be shown a second time, by the browser. The first of each abbreviation is reached
// by Tab.
const told = new Set();
for (const reference of document.querySelectorAll(REFERENCES)) {
  if (!reference.title) continue;
  reference.setAttribute("aria-description", reference.title);
  reference.removeAttribute("title");
  if (reference.matches("abbr") && !told.has(reference.textContent)) reference.tabIndex = 0;
  told.add(reference.textContent);
}

/** @type {Map<string, Promise<string>>} */
const fetched = new Map();
/** @type {?HTMLElement} the link or abbreviation that the card belongs to, or is to belong to */
let link = null;
let timer = 0;

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch" || !(event.target instanceof Element)) return;
  const over = event.target.closest(REFERENCES);
  if (over) later(() => show(over), over === link ? 0 : BEFORE);
  else if (event.target.closest("#preview")) clearTimeout(timer);
  else if (link) later(hide, AFTER);
  else clearTimeout(timer);
});
document.documentElement.addEventListener("pointerleave", () => later(hide, AFTER));
document.addEventListener("focusin", (event) => {
  const on = event.target.closest(REFERENCES);
  if (on?.matches(":focus-visible")) show(on);
});
document.addEventListener("focusout", (event) => event.target === link && hide());
document.addEventListener("click", (event) => {
  const on = event.target.closest(REFERENCES);
  if (on?.matches("abbr")) show(on);
  else if (on || !event.target.closest("#preview")) hide();
});
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());

/**
 * Do something in a while, in place of what was to be done.
 * @param {() => void} what
 * @param {number} wait
 */
function later(what, wait) {
  clearTimeout(timer);
  timer = setTimeout(what, wait);
}

/** @param {HTMLElement} reference */
async function show(reference) {
  clearTimeout(timer);
  if (reference === link && !card.hidden) return;
  hide();
  link = reference;
  if (reference.matches("abbr")) {
    card.textContent = reference.getAttribute("aria-description");
  } else {
    const content = await fetchCard(reference.hash.slice(1));
    if (link !== reference || !content) return; // gone on meanwhile, or nothing to show
    card.innerHTML = content;
  }
  card.hidden = false;
  reference.setAttribute("aria-describedby", card.id);
  place(reference.getClientRects()[0]);
}

function hide() {
  clearTimeout(timer);
  link?.removeAttribute("aria-describedby");
  link = null;
  card.hidden = true;
}

/**
 * Fetch a card, once; nothing if there is none.
 * @param {string} name
 * @returns {Promise<string>}
 */
function fetchCard(name) {
  if (!fetched.has(name)) {
    const found = fetch(new URL(`${name}.html`, CARDS))
      .then((response) => (response.ok ? response.text() : ""))
      .catch(() => (fetched.delete(name), ""));
    fetched.set(name, found);
  }
  return fetched.get(name);
}

/**
 * Put the card under the link, or over it where there is more room, and inside the window.
 * @param {DOMRect} at
 */
function place(at) {
  card.style.left = card.style.top = "0";
  const { width, height } = card.getBoundingClientRect();
  const room = document.documentElement.clientWidth - width - GAP;
  const left = Math.max(GAP, Math.min(at.left, room));
  const below = at.bottom + GAP;
  const over = below + height > innerHeight && at.top > innerHeight - at.bottom;
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${(over ? at.top - GAP - height : below) + scrollY}px`;
}
