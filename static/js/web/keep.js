// Keeps the reader's place while htmx brings parts of a page up to date: how far a wide table is
// scrolled, and which disclosures are open. Whoever is to be kept has an id; htmx keeps the focus.
"use strict";

(function () {
  const scrolled = new Map();
  const open = new Map();

  function remember() {
    document.querySelectorAll(".scroll[id]").forEach((e) => scrolled.set(e.id, e.scrollLeft));
    document.querySelectorAll("details[id]").forEach((e) => open.set(e.id, e.open));
  }

  function restore() {
    scrolled.forEach((left, id) => document.getElementById(id)?.scrollTo({ left }));
    open.forEach((isOpen, id) => document.getElementById(id)?.toggleAttribute("open", isOpen));
  }

  document.addEventListener("htmx:beforeSwap", remember);
  document.addEventListener("htmx:afterSettle", restore);
})();
