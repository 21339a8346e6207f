// Preview cards for references and abbreviations, on hover and on keyboard focus. The pointer may
// move into the card, and Escape closes it. A tap follows a link, and opens the card of an
// abbreviation.

const REFERENCES = "a.eq, a.term, article abbr";
const CARDS = new URL("../previews/", import.meta.url);
const BEFORE = 200; // ms before a card opens, so that a passing pointer opens none
const AFTER = 300; // ms before a card closes, to let the pointer reach it
const GAP = 6; // px

const card = document.createElement("div");
card.id = "preview";
card.className = "preview md-typeset";
card.setAttribute("role", "tooltip");
card.hidden = true;
document.body.append(card);

// Remove titles, which browsers would show in addition. The first use of each abbreviation becomes
// focusable.
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
/** @type {?HTMLElement} the reference whose card is open or about to open */
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
 * Call a function after a delay; cancels the previous call if it is still waiting.
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
    if (link !== reference || !content) return; // the pointer has moved on, or there is no card
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
 * Fetch a card once; the result is empty if there is none.
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
 * Place the card inside the window, below the link or above it, wherever there is more room.
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
