// Instructions beside the work, where a window has room for both; elsewhere they are a dialog over it
// (panels.js). They open without taking the focus, and stay open on this device until they are closed.
"use strict";
(() => {
  const WIDE = matchMedia("(min-width: 84rem)"); // as in docked.css
  const panel = document.getElementById("docked");
  const content = panel.querySelector("[data-content]");
  const { owner } = document.body.dataset;
  const KEPT = "mteval-docked";
  const store = (action) => {
    try {
      return action(owner ? localStorage : sessionStorage); // a trial leaves nothing in the browser
    } catch {
      return null; // storage may be forbidden
    }
  };
  const link = () => window.mtevalPanels.linkTo("instructions");
  const isOpen = () => !panel.hidden;

  // The texts become narrower or wider: the question in work stays where it was on the screen, by
  // less or more room above a short item (panes.js), or else by scrolling.
  const show = (isShown) => {
    const stage = document.getElementById("stage");
    const place = stage.querySelector(".is-current, .output");
    const top = () => place?.getBoundingClientRect().top ?? 0;
    const before = top();
    panel.hidden = !isShown;
    document.body.classList.toggle("is-docked", isShown);
    mark();
    if (!WIDE.matches) return;
    const above = parseFloat(stage.style.getPropertyValue("--above"));
    if (above) stage.style.setProperty("--above", `${Math.max(0, above - top() + before)}px`);
    window.scrollBy({ top: top() - before, behavior: "instant" });
  };
  const mark = () => {
    if (WIDE.matches) link().setAttribute("aria-expanded", isOpen());
    else link().removeAttribute("aria-expanded");
  };

  const open = async () => {
    show(true);
    try {
      await window.mtevalPanels.fill(content, "instructions");
      content.firstElementChild.removeAttribute("id"); // the dialog may have a copy
    } catch {
      show(false); // the site cannot be reached
      return false;
    }
    return true;
  };
  const close = () => {
    const hadFocus = panel.contains(document.activeElement);
    show(false);
    store((s) => s.removeItem(KEPT));
    if (hadFocus) document.getElementById("stage").focus({ preventScroll: true });
    window.mtevalScreen.say(panel.dataset.closed);
  };

  // Whether there is room; otherwise nothing happens.
  const toggle = () => {
    if (!WIDE.matches) return false;
    if (isOpen()) close();
    else {
      store((s) => s.setItem(KEPT, "1"));
      open().then((is) => window.mtevalScreen.say(is ? panel.dataset.opened : panel.dataset.failed, !is));
    }
    return true;
  };

  panel.querySelector("button").addEventListener("click", close);
  // Who reads here scrolls with the keys that mark words elsewhere, and answers nothing.
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (["i", "?"].includes(event.key)) return;
    event.stopPropagation();
  });
  WIDE.addEventListener("change", mark);
  if (store((s) => s.getItem(KEPT))) open();
  else mark();
  window.mtevalDocked = { toggle };
})();
