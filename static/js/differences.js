// Two translations side by side: the key d, or the button, turns off and on that the words in which
// they differ are underlined. The server marks the words; without this file they stay underlined.
"use strict";
(() => {
  const KEPT = "mteval-hide-differences";
  const store = (action) => {
    try {
      return action(window.localStorage);
    } catch {
      return null; // storage may be forbidden
    }
  };
  const buttons = () => document.querySelectorAll("[data-differences]");

  const show = () => {
    const hidden = Boolean(store((s) => s.getItem(KEPT)));
    document.body.classList.toggle("hide-differences", hidden);
    for (const button of buttons()) {
      button.hidden = false;
      button.setAttribute("aria-pressed", !hidden);
    }
  };

  const toggle = () => {
    const hidden = document.body.classList.contains("hide-differences");
    store((s) => (hidden ? s.removeItem(KEPT) : s.setItem(KEPT, "1")));
    show();
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-differences]")) toggle();
  });

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key !== "d" || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.body.classList.contains("no-keys") || !buttons().length) return;
    if (target.matches("textarea, select, [contenteditable]")) return;
    if (document.querySelector("dialog[open]")) return;
    toggle();
  });

  // Rows of a document come and go; a new one has a new button.
  new MutationObserver((changes) => {
    if (changes.some((change) => change.addedNodes.length)) show();
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
  show();
})();
