// What a reader has changed, as part of an address: lines in the place of others, so it is short.
// It may come from anybody, and is believed only so far as it looks like what is written here.

import { decode, encode } from "../base64.js";

const LONGEST = 2000; // characters, which every browser, chat and letter lets pass
const MOST = 20; // changes

const natural = (value) => Number.isInteger(value) && value >= 0;
const like = (form) => (value) => typeof value === "string" && form.test(value);
const FIELDS = {
  page: like(/^chapters\/[\w-]+\.md$/),
  card: like(/^eq-[\w-]+$/),
  part: like(/^(session|lines)$/),
  number: natural,
  first: natural,
  count: natural,
  text: like(/^/),
};

/** The address of a page with changes; without them, where they are too long for it. */
export function addressed(page, edits) {
  const address = new URL(page);
  address.searchParams.delete("edit");
  if (!edits.length) return address;
  const fields = edits.map((edit) => Object.keys(FIELDS).map((name) => edit[name]));
  const safe = encode(new TextEncoder().encode(JSON.stringify(fields)));
  if (safe.length <= LONGEST) address.searchParams.set("edit", safe);
  return address;
}

/** The changes in the address of this page; none where it is no address of ours. */
export function read(search = location.search) {
  const safe = new URLSearchParams(search).get("edit") ?? "";
  if (!safe || safe.length > LONGEST) return [];
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(decode(safe));
    const names = Object.keys(FIELDS);
    const edits = JSON.parse(text).map((fields) => Object.fromEntries(names.map((name, n) => [name, fields[n]])));
    const known = edits.every((edit) => names.every((name) => FIELDS[name](edit[name])));
    return known ? edits.slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Open the lines that the address changes, and run nothing: each verification has its card. */
export async function open(cards) {
  const { page } = document.querySelector("meta[name=runtime]").dataset;
  for (const [verification, card] of cards) {
    const edits = read().filter((edit) => edit.page === page && edit.card === verification.dataset.card);
    if (edits.length) await (await card()).edit(edits);
  }
}
