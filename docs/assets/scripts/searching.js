// The index of the search is loaded when a reader first asks for something. Material would go on
// saying "Type to start searching" until it is there.

const query = document.querySelector("[data-md-component=search-query]");
const said = document.querySelector(".md-search-result__meta");

function loading() {
  if (!query.value.trim()) return; // nothing is asked, and nothing will be answered
  said.textContent = "Loading the index of the book …";
  query.removeEventListener("input", loading);
}

query?.addEventListener("input", loading);
