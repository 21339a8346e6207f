// The worker as the page sees it: one at a time, started by the first press, ended by Stop.

import { kept } from "./keeping.js";

const SILENT = 120_000; // milliseconds without an answer, after which it is given up

let worker;
let ended = () => {};
let before = Promise.resolve(); // all that was asked until now

export function stop(why = "stopped") {
  worker?.terminate();
  worker = undefined;
  ended(new Error(why));
}

/** How far it is loaded, in words. */
export const loading = ({ loaded = 0, of = 1 }) =>
  `Loading Python: ${(loaded / 1e6).toFixed(1)} of about ${(of / 1e6).toFixed(0)} MB, once`;

/** Send a wish when those before it are done, tell what comes of it, and resolve when all has come.
 *
 * `patience` says how long it may be silent once Python is there.
 */
export function ask(wish, tell, patience = SILENT) {
  const asked = before.then(() => send(wish, tell, patience));
  before = asked.catch(() => {});
  return asked;
}

/** Start Python, so that it is there when something is asked. */
export function warm() {
  worker ??= new Worker(new URL("worker.js", import.meta.url), { type: "module" });
}

function send(wish, tell, patience) {
  warm();
  kept(({ sessionStorage }) => sessionStorage.setItem("posenc-python", "used"));
  return new Promise((resolve, reject) => {
    let clock;
    const wait = (silent) => {
      clearTimeout(clock);
      clock = setTimeout(() => stop(`stopped: no answer for ${silent / 1000} seconds`), silent);
    };
    const end = (settle, value) => {
      clearTimeout(clock);
      ended = () => {};
      settle(value);
    };
    ended = (error) => end(reject, error);
    worker.onerror = (event) => end(reject, new Error(event.message || "the worker did not start"));
    worker.onmessage = ({ data }) => {
      wait(data.ready ? patience : SILENT);
      if (data.over) stop(data.error);
      else if (data.error) end(reject, new Error(data.error));
      else if (data.done || data.mutants || data.verdict || data.answer) {
        end(resolve, data.mutants ?? data.verdict ?? data.answer);
      }
      else tell(data);
    };
    wait(SILENT);
    worker.postMessage(wish);
  });
}
