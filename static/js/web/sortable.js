// Tables that are sorted by the head of a column: <table class="sortable">. A cell of a number says by
// its data-value what it is sorted by, one of words is sorted by its words; what has neither stays
// last, whichever way. Scripts of pages that bring tables later are heard by htmx:load.
"use strict";

(function () {
  const NOTHING = "–";
  const words = new Intl.Collator(document.documentElement.lang || "en", { numeric: true });

  function valueOf(row, place) {
    const cell = row.cells[place];
    if (cell.dataset.value !== undefined && cell.dataset.value !== "") {
      const value = Number(cell.dataset.value);
      return Number.isNaN(value) ? cell.dataset.value : value;
    }
    const text = cell.classList.contains("num") ? "" : cell.textContent.trim();
    return text === NOTHING ? "" : text;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") {
      return a === b ? 0 : a - b; // of infinities, the difference is none
    }
    return words.compare(String(a), String(b));
  }

  function sort(head) {
    const body = head.closest("table").tBodies[0];
    const place = head.cellIndex;
    const isText = !head.classList.contains("num");
    const up = head.hasAttribute("aria-sort")
      ? head.getAttribute("aria-sort") === "descending"
      : isText;
    const rows = [...body.rows].map((row) => [valueOf(row, place), row]);
    rows.sort(([a], [b]) => {
      if (a === "" || b === "") {
        return (a === "") - (b === "");
      }
      return up ? compare(a, b) : compare(b, a);
    });
    for (const other of head.parentElement.cells) {
      other.removeAttribute("aria-sort");
    }
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows.map(([, row]) => row));
  }

  function begin(part) {
    for (const table of part.querySelectorAll("table.sortable")) {
      if (table.tHead.rows.length > 1 || table.tBodies[0].rows.length < 2) {
        continue; // heads above heads belong to several columns
      }
      for (const head of table.tHead.rows[0].cells) {
        if (head.querySelector(".sort")) {
          continue;
        }
        const button = document.createElement("button");
        button.type = "button";
        button.className = "sort";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => sort(head));
      }
    }
  }

  begin(document);
  document.addEventListener("htmx:load", (event) => begin(event.target));
})();
