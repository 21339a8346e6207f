// Runs on every page, and loads only the modules that the page uses. Pages work without it.

import "./access.js";
import "./searching.js";
import "./theme.js";

if (document.querySelector("[data-explorer]")) {
  import("./explorers/mount.js");
}

if (document.querySelector("a.eq, a.term, article abbr")) {
  import("./preview.js");
}

if (document.querySelector(".sortable")) {
  import("./sort.js");
}

if (document.querySelector("details.register")) {
  import("./filter.js");
}

if (document.querySelector(".live")) {
  import("./live.js");
}

import("./chapters.js");
const questions = document.getElementById("check-yourself");
if (questions) whenNear(questions, () => import("./questions.js"));
if (document.querySelector(".forget")) {
  import("./forget.js");
}

const runtime = document.querySelector("meta[name=runtime]");
if (runtime && document.querySelector("details.verification")) {
  import("./run/buttons.js");
}
const pitfalls = document.getElementById("pitfalls");
if (runtime?.dataset.mistakes && pitfalls) {
  whenNear(pitfalls, () => import("./run/named_mistakes.js"));
}
if (runtime && document.getElementById("exercises")) {
  import("./run/exercises.js");
}
const workbench = document.querySelector("[data-tool]");
if (runtime && workbench) {
  import(`./workbench/${workbench.dataset.tool}.js`);
}
if (runtime && document.querySelector("a.judge-here")) {
  import("./workbench/judge_links.js");
}
if (runtime?.dataset.page === "reference/equations.md") {
  import("./run/register.js");
}

// Shift+P, or the button in the head of a chapter or a lab, presents the page.
const presentation = async () => (await import("./present.js")).present();
const facts = document.querySelector("article .facts");
if (facts) {
  const button = document.createElement("button");
  button.textContent = "present";
  button.title = "One section at a time, for a projector (Shift+P)";
  button.addEventListener("click", presentation);
  facts.append(button);
}
document.addEventListener("keydown", ({ key, target }) => {
  if (key === "P" && !target.closest("input, select, textarea, [contenteditable]")) presentation();
});

/** Call a function once, when an element is at most a screen away. */
function whenNear(element, call) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      call();
    },
    { rootMargin: "100% 0%" },
  );
  observer.observe(element);
}
