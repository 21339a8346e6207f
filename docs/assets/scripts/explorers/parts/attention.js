// One attention layer on five words, and the orders of the words, counted from 0 to 119.
//
// The queries are half of the vectors, the keys and values the vectors themselves.

export const WORDS = ["dogs", "chase", "cats", "at", "night"];

/** The vector of each word. */
export const TOKENS = [
  [2, -1, 1, 0],
  [-1, 2, -1, 1],
  [1, 0, -2, 1],
  [-1, -1, 1, -2],
  [0, 1, 2, -1],
];

/** Return the outputs of attention(X / 2, X, X); with a mask, row p sees the rows up to p. */
export function attend(X, causal) {
  return X.map((query, p) => {
    const seen = causal ? X.slice(0, p + 1) : X;
    const shares = seen.map((key) => Math.exp(dot(query, key) / 2 / Math.sqrt(key.length)));
    const total = shares.reduce((sum, share) => sum + share, 0);
    return query.map((_, c) => seen.reduce((sum, value, q) => sum + (shares[q] / total) * value[c], 0));
  });
}

const dot = (a, b) => a.reduce((sum, entry, c) => sum + entry * b[c], 0);

/** Return the order with a number: the word at each position, the numbers in alphabetical order. */
export function orderOf(number) {
  const left = WORDS.map((_, token) => token);
  const order = [];
  let [rest, block] = [number, 120];
  while (left.length) {
    block /= left.length;
    order.push(...left.splice(Math.floor(rest / block), 1));
    rest %= block;
  }
  return order;
}

/** Return the number of an order. */
export function rankOf(order) {
  let [number, block] = [0, 120];
  order.forEach((token, p) => {
    block /= order.length - p;
    number += block * order.slice(p + 1).filter((other) => other < token).length;
  });
  return number;
}

/** Return the order after two words have changed places. */
export function swapped(order, one, other) {
  const places = { [one]: other, [other]: one };
  return order.map((token) => places[token] ?? token);
}
