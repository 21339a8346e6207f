// Messages in the search panel. The index loads with the first query, so the panel says that it is
// loading.

const query = document.querySelector("[data-md-component=search-query]");
const said = document.querySelector(".md-search-result__meta");

/** Show the message that Material shows for an empty query. */
function waiting() {
  const { translations } = JSON.parse(document.getElementById("__config").textContent);
  said.textContent = translations["search.result.placeholder"];
}

function loading() {
  if (!query.value.trim()) return; // an empty query gets no answer
  said.textContent = "Loading the index of the book …";
  query.removeEventListener("input", loading);
}

if (query) {
  waiting();
  query.addEventListener("input", loading);
}
