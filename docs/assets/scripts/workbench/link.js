// A link that holds what a reader has put into a tool, compressed, behind the # of the address, so
// that no host sees it. It may come from anybody, and is believed only so far as it parses.

import { decode, encode } from "../base64.js";

const LONGEST = 16_000; // characters, which browsers and most chats let pass
const LARGEST = 400_000; // bytes once decompressed

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

/** Return the fragment for a value that JSON can hold, or null if it would be too long. */
export async function pack(name, value) {
  const stream = through(JSON.stringify(value), new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const safe = encode(bytes);
  return safe.length > LONGEST ? null : `#${name}=${safe}`;
}

/** Return the value that the address holds under a name, or null. */
export async function unpack(name, hash = location.hash) {
  const safe = hash.startsWith(`#${name}=`) ? hash.slice(name.length + 2) : "";
  if (!safe || safe.length > LONGEST) return null;
  try {
    return JSON.parse(await readText(through(decode(safe), new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}

/** Read a stream as text, up to a size: a few bytes can decompress to gigabytes. */
async function readText(stream) {
  const chunks = [];
  let size = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks).text();
    size += value.length;
    if (size > LARGEST) throw new Error("too large");
    chunks.push(value);
  }
}
