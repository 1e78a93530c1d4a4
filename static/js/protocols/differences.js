// Translations beside or below each other: the key d, or the button, turns off and on that the words
// in which they differ are underlined. The server marks the words. Beside each other, and in a
// comparison table, they are underlined until that is turned off; below each other when that is asked
// for.
"use strict";
(() => {
  const HIDDEN = "mteval-hide-differences";
  const ASKED = "mteval-ask-differences";
  const store = (action) => {
    try {
      return action(window.localStorage);
    } catch {
      return null; // storage may be forbidden
    }
  };
  const buttons = () => document.querySelectorAll("[data-differences]");

  const mustAsk = () => document.querySelector(".screen:not(.is-table) [data-differences=asked]") !== null;
  const isHidden = () =>
    store((s) => (mustAsk() ? !s.getItem(ASKED) : Boolean(s.getItem(HIDDEN)))) ?? mustAsk();
  const keep = (name, value) => store((s) => (value ? s.setItem(name, "1") : s.removeItem(name)));

  const show = () => {
    const hidden = isHidden();
    document.body.classList.toggle("hide-differences", hidden);
    for (const button of buttons()) {
      button.hidden = false;
      button.setAttribute("aria-pressed", !hidden);
    }
  };

  const toggle = () => {
    const hidden = document.body.classList.contains("hide-differences");
    if (mustAsk()) keep(ASKED, hidden);
    else keep(HIDDEN, !hidden);
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

  document.addEventListener("mteval:compared", show);

  // Rows of a document come and go; a new one has a new button.
  new MutationObserver((changes) => {
    if (changes.some((change) => change.addedNodes.length)) show();
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
  show();
})();
