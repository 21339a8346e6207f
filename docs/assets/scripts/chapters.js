// Read chapters have a tick in the navigation. A chapter counts as read when its last section comes
// into view, at the earliest a minute after the page was opened.

import { recall, remember, remembered, tick } from "./memory.js";

const MINUTE = 60_000;

const key = (path) => `read-${path.replace(/index\.html$/, "")}`;

function showRead() {
  if (!remembered("read-").length) return;
  for (const link of document.querySelectorAll(".md-nav--primary a.md-nav__link")) {
    if (link.hash || !recall(key(link.pathname))) continue;
    tick(link.querySelector(".md-ellipsis") ?? link, "read");
  }
}

showRead();

const last = document.getElementById("exercises") && [...document.querySelectorAll("article h2[id]")].at(-1);
if (last) {
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    remember(key(location.pathname), "yes");
    showRead();
  });
  setTimeout(() => seen.observe(last), MINUTE);
}
