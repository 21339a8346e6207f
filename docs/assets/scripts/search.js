// The search worker. It loads Material's worker, which is lunr, and the index with the first query,
// so that pages don't load either of them before. The four types of messages are Material's.

const SETUP = 0, READY = 1, QUERY = 2, RESULT = 3;
const NOTHING = { type: RESULT, data: { items: [], suggest: [] } };
const WORKER = new URL(`../javascripts/workers/${self.location.search.slice(1)}`, self.location);
const ENTRIES = new URL("../../search/entries.json", self.location);

const OURS = /^(?!.*["~^:*]|(.*\s)?[+-])/; // a query without lunr's operators

const post = self.postMessage.bind(self);
/** @type {object} the options that Material sends */
let options = {};
/** @type {?Promise<void>} */
let loaded = null;
let latest = 0;
/** @type {Spelling} of the words in the index */
let spelling;
/** @type {RegExp} */
let separator;
/** @type {Map<string, object>} the entries of the index by their locations */
let entries;
/** @type {Wanted} the words of the latest query */
let wanted;

addEventListener("message", (event) => {
  if (!event.isTrusted) return; // sent by this script, for Material
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
 * Answer a query, unless a newer one has arrived while the index was loading.
 * @param {string} query
 */
async function answer(query) {
  const number = ++latest;
  if (!query.trim() && !loaded) {
    // The page sends an empty query when it opens. An answer to it could arrive after the next one.
    if (number > 1) post(NOTHING);
    return;
  }
  try {
    await (loaded ??= load());
    await new Promise((resolve) => setTimeout(resolve)); // first take in the queries that waited
  } catch (error) {
    loaded = null;
    console.error("The search could not be loaded:", error);
    return post(NOTHING);
  }
  if (number !== latest) return;
  const words = findWords(query);
  if (!words.length) return post(NOTHING);
  wanted = new Wanted(words.map(forms), (form) => spelling.rarity(form));
  hand({ type: QUERY, data: OURS.test(query) ? words.flatMap(terms).join(" ") : query });
}

/** Load Material's worker and the entries, and wait for the index. */
async function load() {
  const fetched = fetch(ENTRIES).then((response) => {
    if (!response.ok) throw new Error(`${ENTRIES}: ${response.status}`);
    return response.json();
  });
  if (!self.lunr) importScripts("query.js", "spelling.js", "results.js", WORKER); // once, even if the entries fail to load
  const index = await fetched;
  separator = new RegExp(index.config.separator);
  entries = new Map(index.docs.map((entry) => [entry.location, entry]));
  for (const entry of index.docs) {
    const page = entries.get(entry.location.split("#")[0]);
    if (page && page !== entry) entry.page = `${page.title} ${page.names}`; // found by the words of its page, too
  }
  spelling = new Spelling(index.docs.flatMap(said), separator);
  await new Promise((resolve) => {
    self.postMessage = (message) => (message.type === READY ? resolve() : post(arranged(message)));
    hand({ type: SETUP, data: { ...index, options } });
  });
}

/**
 * Return all texts of an entry.
 * @param {{title: string, text: string, names: string, tags?: string[], answers?: string[]}} entry
 */
function said({ title, text, names, tags = [], answers = [] }) {
  return [title, text, names, ...tags, ...answers];
}

/** Arrange an answer of Material's worker. */
function arranged(/** @type {{type: number, data: {items: object[][]}}} */ { type, data }) {
  return { type, data: { ...data, items: arrange(data.items, entries, wanted) } };
}

/**
 * Send a message to Material's worker.
 * @param {{type: number, data: unknown}} data
 */
function hand(data) {
  dispatchEvent(new MessageEvent("message", { data }));
}
