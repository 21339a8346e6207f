// The worker of the search. It loads Material's own, and the entries, when a reader first asks
// for something: until then a page carries neither. The four messages are Material's.

const SETUP = 0, READY = 1, QUERY = 2, RESULT = 3;
const NOTHING = { type: RESULT, data: { items: [], suggest: [] } };
const WORKER = new URL(`../javascripts/workers/${self.location.search.slice(1)}`, self.location);
const ENTRIES = new URL("../../search/entries.json", self.location);

// Words that hardly tell one place from another; Material would look for "of*" and find "offset".
const SMALL = new Set(
  ("a an and are as at be been by can could did do does for from had has have how i if in into is it its me my " +
    "of on or our so than that the their then there these they this to was we were what when where which while " +
    "who why will with you your").split(" "),
);
const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(" ");

const OURS = /^(?!.*["~^:*]|(.*\s)?[+-])/; // all but lunr's own language

const post = self.postMessage.bind(self);
/** @type {object} what Material asks the search to do */
let options = {};
/** @type {?Promise<void>} */
let loaded = null;
let latest = 0;
/** @type {Spelling} of the entries, and what separates words in them */
let spelling;
/** @type {RegExp} */
let separator;

addEventListener("message", (event) => {
  if (!event.isTrusted) return; // our own, for Material
  event.stopImmediatePropagation();
  const { type, data } = event.data;
  if (type === SETUP) {
    options = data.options;
    post({ type: READY });
  } else if (type === QUERY) {
    answer(data);
  }
});

/**
 * Answer a query, unless a newer one has come while the entries were on their way.
 * @param {string} query
 */
async function answer(query) {
  const number = ++latest;
  const words = telling(query);
  if (!query.trim() && !loaded) {
    // The first is of the page, when it is opened: there is nothing to empty, and what says so might
    // come when more is typed. Later there is what could not be looked for.
    if (number > 1) post(NOTHING);
    return;
  }
  try {
    await (loaded ??= load());
  } catch (error) {
    loaded = null;
    console.error("The search could not be loaded:", error);
    return post(NOTHING);
  }
  if (number !== latest) return;
  if (!words.length) return post(NOTHING);
  hand({ type: QUERY, data: OURS.test(query) ? words.flatMap(terms).join(" ") : query });
}

/**
 * Return the words of a query that tell something: without the small ones before the last, with
 * Greek letters by name, and with numbers in one piece.
 * @param {string} query
 */
function telling(query) {
  const words = query
    .toLowerCase()
    .replace(/[α-ω]/g, (letter) => ` ${GREEK[letter.charCodeAt(0) - 0x3b1]} `)
    .replace(/√/g, " sqrt")
    .replace(/(?<=\d)[ ,\u202f](?=\d{3}\b)/g, "")
    .replace(/[?]/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  const ended = /[\s?]$/.test(query);
  const telling = words.filter((word, place) => !SMALL.has(word) || (!ended && place === words.length - 1));
  return telling.length ? telling : words;
}

/**
 * Return what Material is asked for a word. It looks for all that begins like it; the word itself
 * (`^`) counts for more. One with marks in it, as a name of code or a root, is looked for in one
 * piece, too, where the entries have it so, and then its single letters say nothing.
 * @param {string} word
 * @returns {string[]}
 */
function terms(word) {
  const parts = word.split(separator).filter(Boolean);
  const whole = `§${parts.join("")}`;
  const known = spelling.counts.has(whole);
  const said = known ? parts.filter((part) => part.length > 1) : parts;
  const mended = said.map((part) => spelling.mended(part)).flatMap((part) => [`${part}^4`, part]);
  return known ? [`${whole}^16`, ...mended] : mended;
}

/** Fetch Material's worker and the entries, and wait until they are indexed. */
async function load() {
  const fetched = fetch(ENTRIES).then((response) => {
    if (!response.ok) throw new Error(`${ENTRIES}: ${response.status}`);
    return response.json();
  });
  if (!self.lunr) importScripts("spelling.js", WORKER); // once, also where the entries do not come
  const index = await fetched;
  separator = new RegExp(index.config.separator);
  spelling = new Spelling(index.docs.flatMap(said), separator);
  await new Promise((resolve) => {
    self.postMessage = (message) => (message.type === READY ? resolve() : post(asTyped(message)));
    hand({ type: SETUP, data: { ...index, options } });
  });
}

/**
 * Return all texts of an entry.
 * @param {{title: string, text: string, names: string, tags?: string[]}} entry
 */
function said({ title, text, names, tags = [] }) {
  return [title, text, names, ...tags];
}

/**
 * Return an answer in which no word is called missing that the reader has not typed.
 * @param {{data: {items: {terms: Record<string, boolean>}[][]}}} message
 */
function asTyped(message) {
  for (const { terms } of message.data.items.flat()) {
    for (const term of Object.keys(terms)) if (term.startsWith("§")) delete terms[term];
  }
  return message;
}

/**
 * Give Material's worker a message.
 * @param {{type: number, data: unknown}} data
 */
function hand(data) {
  dispatchEvent(new MessageEvent("message", { data }));
}
