// The words of a query, and what the search worker looks up for each.

// Stop words; Material would search for "of*" and find "offset".
const SMALL = new Set(
  ("a an and are as at be been by can could did do does for from had has have how i if in into is it its me my " +
    "just not of on or our so than that the their then there these they this to use using vs was we were what when " +
    "where which while who why will with you your").split(" "),
);
const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(" ");

const ENDING = /(?<=\w{4})(?:s|ed|es|e|ing|ings|ion|ions|ation|ations|al|ly|er|or)$/;

/**
 * Return the words of a query without stop words, except for an unfinished last word. Greek
 * letters become their names, and groups of digits are joined.
 * @param {string} query
 */
function findWords(query) {
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
 * Return the beginnings of words that stand for a word: itself, if need be corrected, and without
 * its ending. A word with punctuation, such as a name in code, comes as a whole if the index has
 * it, and in its parts.
 * @param {string} word
 * @returns {string[]}
 */
function forms(word) {
  const parts = word.split(separator).filter(Boolean);
  const whole = `§${parts.join("")}`;
  const known = spelling.counts.has(whole);
  const said = known ? parts.filter((part) => part.length > 1) : parts;
  return [...new Set([...(known ? [whole] : []), ...said.flatMap(variants)])];
}

/** Return the beginnings of words that stand for a plain word. */
function variants(/** @type {string} */ word) {
  const greek = GREEK.indexOf(word);
  if (greek >= 0) return [word, String.fromCharCode(0x3b1 + greek)];
  const known = [word, word.replace(ENDING, "")].filter((form) => spelling.knows(form));
  if (known.length) return known;
  const mended = spelling.mended(word);
  return [mended, mended.replace(ENDING, "")];
}

/**
 * Return the search terms for a word. Material searches for prefixes; `^` boosts the exact word.
 * @param {string} word
 * @returns {string[]}
 */
function terms(word) {
  return forms(word).flatMap((form) => (form.startsWith("§") ? [`${form}^16`] : [`${form}^4`, form]));
}
