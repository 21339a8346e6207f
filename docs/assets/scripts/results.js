// What the search worker makes of the sections that lunr finds: results in the form that Material
// renders. A result is a page: a link to its best section, with an excerpt, and links to others.

const OTHERS = 3; // sections of the same page
const NEAR = 4, FAR = 40; // by how much others and results may rank lower than the best
const WHOLE_PAGE = 0.5; // unless it has the words in its title
const LONG = 260; // characters of an excerpt, of which a style sheet shows two lines
const SEEN = 180; // characters that two lines show on a laptop
const SHORT = /^\W*(?:\S+\s+){0,2}\S+\W*$/; // a name, not a sentence

/** The words of a query, to rank, find and mark what has them. */
self.Wanted = class Wanted {
  /**
   * @param {string[][]} words for each word of the query, the beginnings of words that stand for it
   * @param {(beginning: string) => number} rarity
   */
  constructor(words, rarity) {
    this.words = words.map((beginnings) => ({
      beginnings,
      rarity: rarity(beginnings[0]),
      pattern: startsWith(beginnings, "i"),
    }));
    this.all = startsWith(words.flat(), "gi");
    this.total = this.sum(() => true);
  }

  /** Add up how rare the words are that fulfil a condition. */
  sum(/** @type {(word: {beginnings: string[], pattern: RegExp}) => boolean} */ condition) {
    return this.words.reduce((sum, word) => sum + (condition(word) ? word.rarity : 0), 0);
  }

  /** Return which share of the words a text has. */
  share(/** @type {string} */ text) {
    return this.sum(({ pattern }) => pattern.test(text)) / this.total;
  }

  /** Mark the words in HTML. */
  mark(/** @type {string} */ html) {
    return html.replace(/<[^>]*>|[^<]+/g, (part) => (part[0] === "<" ? part : part.replace(this.all, "<mark>$&</mark>")));
  }
};

/** Return a pattern of words that begin in one of these ways; not inside an entity such as &lt;. */
function startsWith(/** @type {string[]} */ beginnings, /** @type {string} */ flags) {
  const escaped = beginnings.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}&])(?:${escaped.join("|")})[\\p{L}\\p{N}]*`, `${flags}u`);
}

/**
 * Return the results for a query in the form that Material renders.
 *
 * Material links the item without an anchor at the top of a result, or the last item if all have
 * anchors; the others follow if their score isn't below that of the first. Enter follows the
 * highest score.
 * @param {object[][]} groups as Material's worker returns them
 * @param {Map<string, object>} entries of the index
 * @param {Wanted} wanted
 */
self.arrange = function arrange(groups, entries, wanted) {
  const pages = new Map();
  const ranked = groups.flat().filter(({ score }) => score).map((item) => ({ ...item, rank: rank(item, wanted) }));
  ranked.sort((one, other) => other.rank - one.rank);
  for (const item of ranked.filter(({ rank }) => rank > ranked[0].rank / FAR)) {
    const page = item.location.split("#")[0];
    pages.set(page, [...(pages.get(page) ?? []), item]);
  }
  return [...pages].map(([page, [best, ...rest]]) => {
    const others = rest
      .filter(({ location, rank }) => location !== page && rank > best.rank / NEAR)
      .slice(0, OTHERS)
      .map((item) => show(item, 0, wanted.mark(entries.get(item.location).title)));
    const from = best.location === page ? "" : `<span class="result-page">${entries.get(page).title}</span> `;
    const entry = entries.get(best.location);
    const title = `${from}${wanted.mark(entry.title)} <span class="result-text">${excerpt(entry, wanted)}</span>`;
    return [...others, show(best, best.rank, title)];
  });
};

/** Rank an item by lunr's score and by the words that it has. */
function rank({ score, parent, terms, title }, /** @type {Wanted} */ wanted) {
  // Material prefers whole pages.
  const found = Object.keys(terms).filter((term) => terms[term]);
  const boost = +!parent + found.length / Object.keys(terms).length;
  const had = wanted.sum(({ beginnings }) => found.some((term) => beginnings.includes(term))) / wanted.total;
  return (score / (1 + boost ** 2)) * had ** 2 * (parent || wanted.share(title) === 1 ? 1 : WHOLE_PAGE);
}

/** Return an item as Material renders it. */
function show({ location, terms }, /** @type {number} */ score, /** @type {string} */ title) {
  const found = Object.entries(terms).filter(([term, found]) => found && !term.startsWith("§"));
  return { location, score, title, text: "", terms: Object.fromEntries(found) };
}

/**
 * Return the part of an entry that answers a query: the answer to one of its questions, or the
 * sentence that has most of the words, with what follows it.
 * @param {{tags?: string[], answers?: string[], text: string}} entry
 * @param {Wanted} wanted
 */
function excerpt({ tags = [], answers = [], text }, wanted) {
  const candidates = answers
    .map((answer, place) => ({ asked: `${tags[place]} ${answer}`, said: answer }))
    .filter(({ said }) => said);
  for (const [, block] of text.matchAll(/<(?:p|li)>(.*?)(?=<\/?(?:p|li|ul|ol)>|$)/gs)) {
    const plain = block.replace(/<[^>]*>/g, "").trim();
    if (SHORT.test(plain)) continue;
    for (const { index, 0: sentence } of plain.matchAll(/\S.*?(?:[.?!](?=\s+[^a-z\d\s])|$)/gs)) {
      candidates.push({ asked: sentence, said: plain.slice(index) });
    }
  }
  const best = candidates
    .map(({ asked, said }) => ({ said, share: wanted.share(asked) }))
    .reduce((best, one) => (one.share > best.share ? one : best), { said: candidates[0]?.said ?? "", share: 0 });
  return wanted.mark(cut(best.said, wanted));
}

/**
 * Cut a long text: it begins with its sentence if two lines show a wanted word then, or else at a
 * word before the first wanted one.
 */
function cut(/** @type {string} */ text, /** @type {Wanted} */ wanted) {
  const first = Math.max(text.search(new RegExp(wanted.all, "iu")), 0);
  const start = first < SEEN ? 0 : text.lastIndexOf(" ", first - LONG / 4) + 1;
  const end = text.length <= start + LONG ? text.length : text.lastIndexOf(" ", start + LONG);
  return (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
}
