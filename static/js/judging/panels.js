// What opens beside the work: instructions, keys, settings, notes; and source and reference, which
// the annotator may fold away.
"use strict";
(() => {
  // How high the dock is: what has the focus, and the tools of a phone, stand above it.
  const dock = document.querySelector(".dock");
  if (dock && window.ResizeObserver) {
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`);
    }).observe(dock);
  }

  // ---- Dialogs; the contents of some are a part of a page, fetched when first opened --------
  const linkTo = (name) => document.querySelector(`a[data-dialog=${name}]`);
  // Raises an error where the page cannot be had.
  const fill = async (content, name) => {
    if (content.hasChildNodes() && !("each" in content.dataset)) return;
    // Back to the row that is open now, not to the one that the page came with.
    const next = `next=${encodeURIComponent(location.pathname)}`;
    const page = await (await fetch(linkTo(name).href.replace(/next=[^&]*/, next))).text();
    const parsed = new DOMParser().parseFromString(page, "text/html");
    const part = parsed.getElementById(content.dataset.content);
    if (!part) throw new Error("The page has no such part: somebody signed out, or the site is restarting.");
    content.replaceChildren(part);
  };
  const openDialog = async (name) => {
    if (name === "instructions" && window.mtevalDocked.toggle()) return;
    const dialog = document.getElementById(name);
    const content = dialog.querySelector("[data-content]");
    for (const link of dialog.querySelectorAll("a[href*='next=']"))
      link.href = link.href.replace(/next=[^&]*/, `next=${encodeURIComponent(location.pathname)}`);
    dialog.showModal();
    if (!content) return;
    try {
      await fill(content, name);
      dialog.dispatchEvent(new CustomEvent("mteval:filled", { bubbles: true }));
      content.querySelector("input:not([type=hidden]), textarea, select")?.focus({ preventScroll: true });
    } catch {
      location.assign(linkTo(name).href);
    }
  };
  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-dialog]");
    if (!opener || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    openDialog(opener.dataset.dialog);
  });
  for (const opener of document.querySelectorAll("[data-dialog][hidden]")) opener.hidden = false;
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  // ---- Source, reference and help: hidden or shown as the annotator left them; where a window has
  // little height, help is hidden until it is asked for ----------------------------------------
  const LITTLE = matchMedia("(max-height: 53rem)"); // as in judge.css
  const store = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null; // storage may be forbidden; everything else works without
    }
  };
  const parts = () => [...document.querySelectorAll("details[data-part]")];
  const nameOf = (part) => `mteval-hide-${part.dataset.part}`;
  const isOpenAtFirst = (part) => part.dataset.part !== "marking" || !LITTLE.matches;
  const remember = (part) =>
    store((s) =>
      part.open === isOpenAtFirst(part)
        ? s.removeItem(nameOf(part))
        : s.setItem(nameOf(part), part.open ? "0" : "1"),
    );
  const turned = new WeakSet(); // by the script: nobody asked for that
  const showParts = () => {
    for (const part of parts()) {
      const kept = store((s) => s.getItem(nameOf(part)));
      const isOpen = kept ? kept === "0" : isOpenAtFirst(part);
      if (part.open !== isOpen) turned.add(part);
      part.open = isOpen;
      part.addEventListener("toggle", () => turned.delete(part) || remember(part));
    }
  };
  const toggle = (name) => {
    const part = parts().find((candidate) => candidate.dataset.part === name);
    if (!part || window.mtevalPanes?.uncover(part)) return;
    part.open = !part.open;
    remember(part); // the event comes later, perhaps after the next item
  };
  window.mtevalPanels = { openDialog, fill, linkTo, showParts, toggle };
})();
