// One key to the next of a list and one to the one before: j or n, k or p.
"use strict";
(() => {
  const TO = { j: "next", n: "next", k: "prev", p: "prev" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest?.("input:not([type=checkbox]), textarea, select")) return;
    document.querySelector(`#results a[rel=${TO[event.key] ?? "none"}]`)?.click();
  });
})();
