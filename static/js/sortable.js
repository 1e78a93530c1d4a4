// Tables that are sorted by a click on the head of a column: <table class="sortable">. A cell says by
// its data-value what it is sorted by; cells without one stay last, whichever way.
"use strict";

(function () {
  function valueOf(row, place) {
    const text = row.cells[place].dataset.value ?? "";
    return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") {
      return a - b;
    }
    return String(a).localeCompare(String(b));
  }

  function sort(head) {
    const table = head.closest("table");
    const place = head.cellIndex;
    const wasDown = head.getAttribute("aria-sort") === "descending";
    const isText = !head.classList.contains("num");
    const up = head.hasAttribute("aria-sort") ? wasDown : isText;
    const rows = [...table.tBodies[0].rows].map((row) => [valueOf(row, place), row]);
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
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }

  for (const head of document.querySelectorAll("table.sortable thead th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head));
  }
})();
