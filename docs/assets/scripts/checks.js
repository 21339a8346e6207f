// In `mkdocs serve`, show the progress of the checks, and update the marks on this page once it has
// been checked. When all checks are done, the server rebuilds the site with their results.

const bar = document.createElement("p");
bar.className = "checks";
bar.setAttribute("role", "status");
document.body.append(bar);

const root = new URL("../../", import.meta.url);
const { page } = document.querySelector("[data-page]").dataset;

const turn = () => {
  for (const mark of document.querySelectorAll(".waiting")) {
    mark.classList.remove("waiting");
    mark.textContent = "checked just now";
  }
  for (const image of document.querySelectorAll('article img[src*="/figures/"]')) {
    const [address, theme] = image.getAttribute("src").split("#");
    image.src = `${address}?checked#${theme}`;
  }
};

const look = async () => {
  const answer = await fetch(new URL("checks.json", root), { cache: "no-store" }).catch(() => null);
  if (answer?.ok) {
    const { total, done } = await answer.json();
    const count = Object.keys(done).length;
    const own = page in done ? (done[page] ? "this page holds" : "this page does not hold") : "this page not yet";
    bar.textContent = `Checked ${count} of ${total}: ${own}`;
    if (done[page] && document.querySelector(".waiting")) {
      turn();
    }
    if (count === total) {
      return;
    }
  }
  setTimeout(look, 1000);
};

look();
