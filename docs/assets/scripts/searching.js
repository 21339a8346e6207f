// The index of the search is loaded when a reader first asks for something. Until then the search
// waits to be asked, and until the index is there the panel says what is going on.

const query = document.querySelector("[data-md-component=search-query]");
const said = document.querySelector(".md-search-result__meta");

/** Say what Material would say of an answer to nothing. */
function waiting() {
  const { translations } = JSON.parse(document.getElementById("__config").textContent);
  said.textContent = translations["search.result.placeholder"];
}

function loading() {
  if (!query.value.trim()) return; // nothing is asked, and nothing will be answered
  said.textContent = "Loading the index of the book …";
  query.removeEventListener("input", loading);
}

if (query) {
  waiting();
  query.addEventListener("input", loading);
}
