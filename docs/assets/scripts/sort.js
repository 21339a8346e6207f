// Sorts the rows of a table by the column whose heading is clicked.

const collator = new Intl.Collator("en", { numeric: true });

for (const table of document.querySelectorAll(".sortable table")) {
  for (const heading of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(table, heading));
    heading.append(button);
  }
}

function sort(table, heading) {
  const descending = heading.ariaSort === "ascending";
  for (const other of heading.parentElement.cells) {
    other.ariaSort = null;
  }
  heading.ariaSort = descending ? "descending" : "ascending";
  const column = heading.cellIndex;
  const text = (row) => row.cells[column].textContent;
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => collator.compare(text(a), text(b)));
  body.append(...(descending ? rows.reverse() : rows));
}
