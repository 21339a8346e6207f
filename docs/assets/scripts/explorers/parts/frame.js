// Shared by all explorers: values, controls, buttons, URL, announcements, redrawing.
//
// A module exports
//   controls   the controls, see controls.js
//   play       optional: {name, by}, the value that Play changes and the step
//   follow     optional: (before, next) => next, if one control changes others
//   mount      (stage) => draw; builds the explorer in stage.body, and draw(values) shows values
//              and returns a sentence that describes them
// and is redrawn after each change of values, theme or width. A cursor changes values with
// `stage.set({p: 3})`. Relative changes need `stage.set(({ p }) => ({ p: p + 1 }))`: the drawing may
// be a frame behind, and the second of two keys within a frame would undo the first.

import { build as buildControls } from "./controls.js";
import { calm, html, onTheme, onWidth } from "./page.js";
import { initial, read, settle, write } from "./state.js";

const ANNOUNCE = 500; // ms of rest before a change is read out
const REMEMBER = 300; // ms of rest before it goes into the address
const BEAT = 400; // ms from step to step of Play

/** Build an explorer in its block. */
export function build(block, { controls: declared, mount, play, follow = (_, next) => next }) {
  const only = block.dataset.only?.split(" "); // a page may ask for some controls alone
  const controls = declared.map((control) =>
    only && !only.includes(control.name) ? { ...control, hidden: true } : control,
  );
  const prefix = `${block.id.replace(/^explore-/, "")}.`;
  const defaults = read(controls, initial(controls), "", block.dataset.values ?? "");
  let values = read(controls, defaults, prefix, location.search);

  const body = html("div", { class: "explorer-body" });
  const message = html("p", { class: "explorer-message", "aria-hidden": "true" });
  const status = html("p", { class: "explorer-status", role: "status" });
  const panel = buildControls(controls, prefix, (name, value) => {
    player?.stop();
    steer(name, value);
  });
  const form = html("form", { class: "explorer-controls" }, ...panel.elements);
  form.addEventListener("submit", (event) => event.preventDefault());

  const announce = rested(ANNOUNCE, () => (status.textContent = message.textContent));
  const remember = rested(REMEMBER, () => history.replaceState(history.state, "", address(location.hash)));
  function address(hash) {
    return location.pathname + write(controls, defaults, prefix, values, location.search) + hash;
  }
  function set(changes) {
    values = settle(controls, { ...values, ...changes });
    panel.show(values);
    redraw();
    announce();
    remember();
  }
  const steer = (name, value) => set(follow(values, { ...values, [name]: value }));
  const redraw = once(() => show());
  function show() {
    message.textContent = draw(values) ?? "";
  }

  const player = play && buildPlayer(block, play, () => {
    const before = values[play.name];
    steer(play.name, before + play.by);
    if (values[play.name] === before) steer(play.name, defaults[play.name]); // from the start
  });
  const reset = button("Reset", () => {
    player?.stop();
    set(defaults);
  });
  const copy = button("Copy link", async () => {
    const link = address(`#${block.id}`);
    try {
      await navigator.clipboard.writeText(new URL(link, location.href).href);
      tell(copy, "Link copied", status);
    } catch {
      history.replaceState(history.state, "", link);
      tell(copy, "See address bar", status);
    }
  });
  const buttons = html("div", { class: "explorer-buttons" }, ...(player ? [player.button] : []), reset, copy);

  const title = block.querySelector(":scope > .admonition-title");
  title.id ||= `${block.id}-title`;
  const live = { class: "explorer-live", role: "group", "aria-labelledby": title.id };
  block.append(html("div", live, body, message, form, buttons, status));
  const draw = mount({
    body,
    set(changes) {
      player?.stop(); // who drags does not want to be pulled on
      set(typeof changes === "function" ? changes(values) : changes);
    },
  });
  panel.show(values);
  show();
  status.textContent = message.textContent; // there to be read, and not news
  takeName(block);
  onTheme(redraw);
  onWidth(body, redraw);
}

/** Move the id of the static figure to the explorer, so that links lead to it. */
function takeName(block) {
  const figure = block.querySelector(":scope > figure[id]");
  if (!figure) return;
  const live = block.querySelector(":scope > .explorer-live");
  [live.id, figure.id] = [figure.id, `${figure.id}-static`];
}

/** Build a button that steps repeatedly, or once if the reader prefers reduced motion. */
function buildPlayer(block, { label = "Play" }, step) {
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    face.textContent = calm() ? "Step" : label;
  };
  const face = button(label, () => {
    if (timer !== null) return stop();
    step();
    if (calm()) return;
    timer = setInterval(step, BEAT);
    face.textContent = "Pause";
  });
  stop();
  new IntersectionObserver(([{ isIntersecting }]) => isIntersecting || stop()).observe(block);
  return { button: face, stop };
}

function button(text, press) {
  const made = html("button", { type: "button" }, text);
  made.addEventListener("click", press);
  return made;
}

/** Show a text on a button for a moment. */
function tell(face, text, status) {
  status.textContent = text; // a button with the focus is not read again
  const before = (face.dataset.text ??= face.textContent);
  face.textContent = text;
  setTimeout(() => (face.textContent = before), 2000);
}

/** Debounce a function: call it when there has been no call for a while. */
function rested(wait, call) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), wait);
  };
}

/** Throttle a function to one call per frame. */
function once(call) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      call();
    });
  };
}
