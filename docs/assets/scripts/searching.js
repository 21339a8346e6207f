// The search panel: its messages, and the focus on its results. The index loads with the first
// query, so the panel says that it is loading.

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

/** Keep the focus on a result when newer results replace it, or the next key would do nothing. */
function keepFocus() {
  const list = document.querySelector(".md-search-result__list");
  const links = () => [...list.querySelectorAll("a")];
  let place = -1; // of the result that has the focus
  document.addEventListener("focusin", ({ target }) => {
    place = links().indexOf(target);
  });
  new MutationObserver(() => {
    const [first, ...others] = links();
    if (first && place >= 0 && document.activeElement === document.body) (others[place - 1] ?? first).focus();
  }).observe(list, { childList: true });
}

if (query) {
  waiting();
  query.addEventListener("input", loading);
  keepFocus();
}
