// In a window of little height the texts have the room: one pane is shown at a time, source or
// translations, the text or its questions (panes.css). The other one is out of sight but in the
// page: screen readers find both, and whatever gets the focus brings its pane.
"use strict";
(() => {
  const LOW = matchMedia("(max-height: 499.98px)");
  const ONE_PANE = matchMedia("(max-height: 499.98px) and (max-width: 63.99rem)"); // as in panes.css
  const button = document.getElementById("pane");
  const [label] = button.getElementsByTagName("span");
  const stage = () => document.getElementById("stage");
  // Covers the other one while it is shown; a comparison table has a row of both in sight.
  const pane = () => stage().querySelector("#stage:not(.is-table) [data-pane]");
  const isShown = () => document.body.classList.contains("shows-pane");
  let left = null; // what had the focus in the pane that is out of sight now

  const show = (isPane) => {
    document.body.classList.toggle("shows-pane", isPane);
    button.setAttribute("aria-pressed", isPane);
  };

  const toggle = () => {
    if (!pane() || !ONE_PANE.matches) return;
    show(!isShown());
    const from = document.activeElement;
    if (from === document.body || stage().contains(from)) {
      const isBack = left?.isConnected && pane().contains(left) === isShown();
      if (!pane().hasAttribute("tabindex")) pane().tabIndex = -1; // its keys for scrolling then work
      (isBack ? left : isShown() ? pane() : stage()).focus({ preventScroll: true });
      left = stage().contains(from) ? from : null;
    }
    const { pane: name, other } = pane().dataset;
    window.mtevalScreen?.say(isShown() ? name : other);
  };

  // A part of the pane that was asked for by its key is shown rather than folded; whether it was.
  const uncover = (part) => {
    if (!ONE_PANE.matches || isShown() || !pane()?.contains(part)) return false;
    part.open = true;
    toggle();
    return true;
  };

  button.addEventListener("click", toggle);
  document.addEventListener("focusin", ({ target }) => {
    if (!pane() || target === stage()) return;
    const isBeside = target.id !== "go" && target.closest(".dock, dialog, .span-tools"); // none is covered
    if (!isBeside) show(pane().contains(target));
  });

  // An item opens at what is judged: with all that follows if there is room for it, or the first
  // translation with its questions; and with what stands above, if there is room for that, too.
  const begin = () => {
    const output = stage().querySelector(".output:not([data-pane])");
    if (!LOW.matches || stage().matches(".is-table")) return; // a row of a table has its source above
    if (location.hash || document.querySelector(".error-summary") || !output) return;
    const room = document.querySelector(".dock").getBoundingClientRect().top;
    const tops = [document.body, stage(), stage().querySelector(".asked"), output]
      .filter(Boolean)
      .map((each) => each.getBoundingClientRect().top);
    const fitting = (part) =>
      tops.find((top) => part.getBoundingClientRect().bottom - top <= room);
    const top = fitting(stage().querySelector(".judged")) ?? fitting(output) ?? tops.at(-1);
    window.scrollBy({ top, behavior: "instant" });
  };

  // A short item stands near the middle of a large window. It is measured once: what grows below,
  // such as a list of errors, moves nothing above.
  const LARGE = matchMedia("(min-width: 64rem) and (min-height: 500px)");
  const center = () => {
    stage().style.removeProperty("--above");
    if (!LARGE.matches || stage().matches(".is-table, .row *")) return;
    const { top, bottom } = stage().getBoundingClientRect();
    const ends = [...stage().querySelectorAll(".given, .judged")].map(
      (part) => part.getBoundingClientRect().bottom,
    );
    const free = Math.min(bottom, innerHeight) - Math.max(top, ...ends);
    if (free > 0) stage().style.setProperty("--above", `${Math.floor(0.4 * free)}px`);
  };

  const open = () => {
    left = null;
    document.body.classList.toggle("has-panes", Boolean(pane()));
    if (!pane()) return;
    label.textContent = pane().dataset.pane;
    show("first" in pane().dataset && !document.querySelector(".error-summary"));
  };
  document.addEventListener("mteval:compared", () => {
    open();
    center();
  });
  document.addEventListener("mteval:open", () => {
    open();
    center();
    queueMicrotask(begin); // after the page has gone to the row
  });

  window.mtevalPanes = { toggle, uncover };
})();
