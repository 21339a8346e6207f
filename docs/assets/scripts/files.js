// Runs where a page is opened from a folder, not from a server: says what needs a server, and makes
// links lead to files. It isn't a module, because browsers don't load modules from files.

const root = document.currentScript.src.split("assets/")[0];

if (document.readyState === "loading") {
  document.addEventListener("DOMContentLoaded", adaptPage);
} else {
  adaptPage();
}

function adaptPage() {
  for (const link of document.links) {
    if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  }
  document.querySelector("article").prepend(makeNote());
}

function makeNote() {
  const folder = decodeURIComponent(new URL(root).pathname).replace(/^\/(?=[A-Z]:)|\/$/g, "");
  const page = location.pathname.slice(new URL(root).pathname.length).replace("index.html", "");

  const note = document.createElement("div");
  note.className = "admonition note no-print";
  note.innerHTML = `<p>You opened this page as a file. Search, explorers, the choice of colours and
    running code need a server. To start one, enter <code></code>, then open <a></a>.</p>`;
  note.querySelector("code").textContent = `python -m http.server -d "${folder}"`;
  const link = note.querySelector("a");
  link.textContent = "http://localhost:8000/";
  link.href = link.textContent + page;
  return note;
}
