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

const post = self.postMessage.bind(self);
/** @type {object} what Material asks the search to do */
let options = {};
/** @type {?Promise<void>} */
let loaded = null;
let latest = 0;

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
  const wanted = meant(query);
  if (!wanted) return post(NOTHING);
  try {
    await (loaded ??= load());
  } catch (error) {
    loaded = null;
    console.error("The search could not be loaded:", error);
    return post(NOTHING);
  }
  if (number === latest) hand({ type: QUERY, data: wanted });
}

/**
 * Return a query without the small words before the last, and with Greek letters by name.
 * Material looks for all that begins like a word; the word itself (`^`) counts for more.
 * @param {string} query
 */
function meant(query) {
  if (/["~^:*]|(^|\s)[+-]/.test(query)) return query; // in lunr's own language
  const words = query
    .replace(/[α-ω]/gi, (letter) => ` ${GREEK[letter.toLowerCase().charCodeAt(0) - 0x3b1]} `)
    .replace(/[?]/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  const ended = /[\s?]$/.test(query);
  const telling = words.filter(
    (word, place) => !SMALL.has(word.toLowerCase()) || (!ended && place === words.length - 1),
  );
  return (telling.length ? telling : words).map((word) => `${word}^4 ${word}`).join(" ");
}

/** Fetch Material's worker and the entries, and wait until they are indexed. */
async function load() {
  const fetched = fetch(ENTRIES).then((response) => {
    if (!response.ok) throw new Error(`${ENTRIES}: ${response.status}`);
    return response.json();
  });
  importScripts(WORKER);
  const index = await fetched;
  await new Promise((resolve) => {
    self.postMessage = (message) => (message.type === READY ? resolve() : post(message));
    hand({ type: SETUP, data: { ...index, options } });
  });
}

/**
 * Give Material's worker a message.
 * @param {{type: number, data: unknown}} data
 */
function hand(data) {
  dispatchEvent(new MessageEvent("message", { data }));
}
