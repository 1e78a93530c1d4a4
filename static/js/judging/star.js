// The star of an item: "I am unsure". It is no part of the answer, and set or taken back at once. What
// the site does not know yet is kept in this browser, under its owner's code, and sent by any page.
"use strict";
(() => {
  const KEPT_MS = 30 * 24 * 3600 * 1000; // as long as drafts
  const SHOWN_MS = 3 * 24 * 3600 * 1000; // rows that are older than a star are held so long (held.js)
  const PAUSE_MS = 30000;
  const { owner } = document.body.dataset;
  if (!owner) return;
  const KEPT = `mteval-stars-${owner}`;
  const button = document.getElementById("star");
  const stage = () => document.getElementById("stage");
  const address = () => `${stage().dataset.action}star/`;

  // ---- What was said here: address → {star, at, isSent} --------------------------------------
  let memory = {}; // where storage is forbidden
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return memory;
    }
  };
  const change = (action) => {
    memory = read();
    action(memory);
    for (const [each, { at, isSent }] of Object.entries(memory))
      if (!(at > Date.now() - (isSent ? SHOWN_MS : KEPT_MS))) delete memory[each];
    try {
      localStorage.setItem(KEPT, JSON.stringify(memory));
    } catch {
      // This page knows.
    }
  };

  // ---- Telling the site ----------------------------------------------------------------------
  const tell = async (each, star) => {
    const headers = { Accept: "application/json" };
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
    if (token) headers["X-CSRFToken"] = token;
    const options = { method: "POST", headers, body: new URLSearchParams({ star }), redirect: "manual" };
    const { ok, status } = await fetch(each, { ...options, keepalive: true });
    if (!ok && ![404, 422].includes(status)) return false; // signed out, held, being started again
    change((kept) => {
      if (kept[each]?.star !== star) return; // changed meanwhile
      if (ok) kept[each].isSent = true;
      else delete kept[each]; // the item is not theirs any more, or nobody reads this
    });
    return true;
  };
  const untold = () => Object.entries(read()).filter(([, { isSent }]) => !isSent);
  let timer = null;
  let last = Promise.resolve();
  const tellAll = async () => {
    clearTimeout(timer);
    let isTold = true;
    for (const [each, { star }] of untold()) isTold = (await tell(each, star).catch(() => false)) && isTold;
    if (!isTold) timer = setTimeout(flush, PAUSE_MS);
  };
  const flush = () => (last = last.then(tellAll));
  window.addEventListener("online", flush);
  document.addEventListener("visibilitychange", () => document.hidden || flush());
  window.mtevalQueue?.onOutcome((_answer, { kind }) => kind === "stored" && untold().length && flush());
  if (untold().length) flush();
  if (!button) return;

  // ---- The button ----------------------------------------------------------------------------
  // When the row on the screen left the site: the page's own with the page, any other when it was
  // fetched. Of a page that the worker handed out nobody knows.
  let fetchedAt = "held" in document.body.dataset ? 0 : performance.timeOrigin;
  const isStarred = () => {
    const said = read()[address()];
    const isNews = said && (!said.isSent || said.at > fetchedAt);
    return isNews ? said.star === "yes" : "starred" in stage().dataset;
  };
  const show = () => button.setAttribute("aria-pressed", isStarred());
  const toggle = () => {
    const star = isStarred() ? "no" : "yes";
    change((kept) => (kept[address()] = { star, at: Date.now() }));
    show();
    window.mtevalScreen.say(star === "yes" ? button.dataset.set : button.dataset.taken);
    flush();
  };
  button.hidden = false;
  button.addEventListener("click", toggle);
  let isFirst = true;
  document.addEventListener("mteval:open", ({ target }) => {
    if (!isFirst) fetchedAt = window.mtevalAhead.get(Number(target.dataset.number))?.at ?? fetchedAt;
    isFirst = false;
    show();
  });
  window.mtevalStar = { toggle };
})();
