// The page Watch: each part is asked for again after its seconds, while the tab is seen. A part that
// fails says so, keeps what it shows, and is tried again; the others go on.
"use strict";
(() => {
  const RETRY = 30;
  const due = new Map(); // part → when it is asked for again; what comes then is another element
  const now = () => performance.now() / 1000;

  const plan = (part, seconds) => {
    if (seconds) due.set(part, now() + Number(seconds));
    else due.delete(part);
  };
  const parts = () => document.querySelectorAll(".watched");
  for (const part of parts()) plan(part, part.dataset.seconds);

  document.addEventListener("htmx:afterSettle", () => {
    for (const part of parts()) if (!due.has(part)) plan(part, part.dataset.seconds);
  });
  document.addEventListener("htmx:beforeRequest", (event) => due.delete(event.target));
  const failed = (event) => {
    const part = event.target.closest?.(".watched");
    if (!part) return;
    const status = event.detail.xhr?.status;
    part.querySelector("[data-stale]").hidden = false;
    // Signed out, or no part in the campaign any more: asking again changes nothing.
    if (![401, 403, 404].includes(status)) plan(part, RETRY);
  };
  for (const kind of ["htmx:responseError", "htmx:sendError", "htmx:timeout"])
    document.addEventListener(kind, failed);

  // Who was signed out is led to another page, which is no part of this one.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const asked = event.target.closest?.(".watched")?.getAttribute("hx-get");
    if (!asked || new URL(event.detail.xhr.responseURL).pathname === asked) return;
    event.detail.shouldSwap = false;
    event.target.querySelector("[data-stale]").hidden = false;
  });

  setInterval(() => {
    if (document.visibilityState !== "visible") return;
    for (const [part, at] of due) {
      // What somebody reads, writes or points at with the keyboard is not taken from under them.
      const writes = [...part.querySelectorAll("textarea")].some((field) => field.value);
      const waits = at > now() || writes || part.contains(document.activeElement);
      if (part.isConnected && waits) continue;
      due.delete(part);
      if (part.isConnected) htmx.trigger(part, "watch");
    }
  }, 1000);
})();
