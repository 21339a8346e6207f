// Spelling correction for the search worker: the nearest word of the book.

/**
 * Return the smallest edit distance from a typed word to a prefix of another. An edit changes, adds
 * or removes a letter, or swaps two neighbours.
 * @param {string} typed
 * @param {string} word
 */
function distance(typed, word) {
  const rows = [Array.from({ length: word.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= typed.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= word.length; column++) {
      const same = typed[row - 1] === word[column - 1];
      const swapped = row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      rows[row].push(
        Math.min(
          rows[row - 1][column] + 1,
          rows[row][column - 1] + 1,
          rows[row - 1][column - 1] + +!same,
          swapped ? rows[row - 2][column - 2] + 1 : Infinity,
        ),
      );
    }
  }
  return Math.min(...rows[typed.length]);
}

/** All words of the book with their frequencies. */
self.Spelling = class Spelling {
  /**
   * @param {string[]} texts
   * @param {RegExp} separator
   */
  constructor(texts, separator) {
    /** @type {Map<string, number>} */
    this.counts = new Map();
    for (const word of texts.join(" ").toLowerCase().replace(/<[^>]*>/g, " ").split(separator)) {
      if (word) this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
    }
    this.words = [...this.counts.keys()];
    this.total = [...this.counts.values()].reduce((sum, count) => sum + count, 1);
  }

  /** Return whether a word of the book starts with these letters. */
  knows(/** @type {string} */ typed) {
    return this.words.some((word) => word.startsWith(typed));
  }

  /** Return how rare the words are that start with these letters. */
  rarity(/** @type {string} */ typed) {
    const often = this.words.reduce((sum, word) => sum + (word.startsWith(typed) ? this.counts.get(word) : 0), 0);
    return Math.log(this.total / (1 + often));
  }

  /**
   * Return a word, or the nearest word of the book if it has none like it, preferring frequent ones.
   * Short words and words with digits aren't corrected, because too many words are near them.
   * @param {string} typed
   */
  mended(typed) {
    const most = typed.length < 5 || /\d/.test(typed) ? 0 : typed.length < 8 ? 1 : 2;
    if (!most || this.knows(typed)) return typed;
    let [best, far, count] = [typed, most + 1, 0];
    for (const word of this.words) {
      if (word.length < typed.length - most) continue;
      const away = distance(typed, word);
      const often = this.counts.get(word) ?? 0;
      if (away < far || (away === far && often > count)) [best, far, count] = [word, away, often];
    }
    return far <= most ? best : typed;
  }
};
