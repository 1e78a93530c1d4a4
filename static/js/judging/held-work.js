// What this browser holds of the work of whoever is signed in, in place of the start page when the site
// cannot be reached: by campaign, with a link into the work, the items that can be opened, and those that
// were answered. waiting.js says what waits to be sent.
"use strict";
(() => {
  const BACK_MS = 20000;
  const BEGINNING = 160; // characters of a text, as in My work
  const place = document.getElementById("held-work");
  const [sectionOf, lineOf] = place.querySelectorAll("template");
  const { home } = place.dataset;
  const { owner } = document.body.dataset;
  const held = window.mtevalHeld;
  const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

  // The pages that the worker keeps: base → page.
  const pages = async () => {
    const found = new Map();
    for (const name of "caches" in window ? await caches.keys() : []) {
      if (!name.startsWith("mteval-pages-")) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const kept = await cache.match(request);
        if (kept.headers.get("X-Owner") === owner)
          found.set(new URL(request.url).pathname, parsed(await kept.text()));
      }
    }
    return found;
  };

  const stars = () => {
    try {
      return JSON.parse(localStorage.getItem(`mteval-stars-${owner}`)) ?? {};
    } catch {
      return {};
    }
  };

  // The item that is open on a page. Its text is shown for items that were done only, as in My work: what is
  // read in a later pass may not be read before.
  const itemOf = (page) => {
    const stage = page.getElementById("stage");
    const { number, judged, skipped, starred } = stage?.dataset ?? {};
    const text = judged || skipped ? stage.querySelector(".segment-text") : null;
    const words = (text?.textContent ?? "").trim().replace(/\s+/g, " ");
    return {
      number: Number(number),
      text: words.length > BEGINNING ? `${words.slice(0, BEGINNING)}…` : words,
      language: text?.lang ?? "",
      isJudged: Boolean(judged),
      isSkipped: Boolean(skipped),
      isStarred: starred !== undefined,
      isHere: true,
    };
  };

  const line = (base, item, star) => {
    const node = lineOf.content.cloneNode(true);
    const [link, text] = [node.querySelector("a"), node.querySelector(".my-text")];
    if (item.isHere) link.href = `${base}${item.number}/`;
    node.querySelector(".my-number").textContent = item.number;
    text.textContent = item.text ?? "";
    text.lang = item.language ?? "";
    link.classList.toggle("is-judged", Boolean(item.isJudged));
    node.querySelector("[data-judged]").hidden = !item.isJudged || item.waits;
    node.querySelector("[data-skipped]").hidden = item.isJudged || !item.isSkipped;
    node.querySelector("[data-waits]").hidden = !item.waits;
    node.querySelector(".my-star").hidden = star ? star.star !== "yes" : !item.isStarred;
    return node;
  };

  // Of one campaign: number → what is known of the item.
  const itemsOf = (base, page, rows, marks, waiting) => {
    const items = new Map();
    const add = (number, known) => number && items.set(number, { ...items.get(number), number, ...known });
    const own = itemOf(page);
    add(own.number, own);
    for (const row of rows) if (row.base === base) add(row.number, itemOf(parsed(row.text)));
    for (const mark of marks) if (mark.base === base) add(mark.number, { isJudged: true });
    for (const { action, number } of waiting)
      if (action === `${base}${number}/`) add(number, { isJudged: true, waits: true });
    return [...items.values()].sort((a, b) => a.number - b.number);
  };

  const show = async () => {
    const [kept, rows, marks] = [await pages(), await held.everything("rows"), await held.everything("marks")];
    const waiting = (await window.mtevalQueue?.mine()) ?? [];
    const starred = stars();
    place.querySelectorAll("section").forEach((each) => each.remove());
    for (const [base, page] of kept) {
      const node = sectionOf.content.cloneNode(true);
      node.querySelector("[data-name]").textContent = page.querySelector(".bar-name").textContent.trim();
      node.querySelector("[data-go]").href = base;
      const items = itemsOf(base, page, rows, marks, waiting);
      node
        .querySelector("ol")
        .append(...items.map((item) => line(base, item, starred[`${base}${item.number}/star/`])));
      place.append(node);
    }
    document.getElementById("holds-nothing").hidden = kept.size > 0;
    place.setAttribute("aria-busy", false);
  };
  show();
  window.mtevalQueue?.onOutcome(show);

  // The start page itself, as soon as the site can be reached.
  const goBack = async () => {
    try {
      const { status } = await fetch(home, { method: "HEAD", redirect: "manual" });
      if (status < 500) location.replace(home);
    } catch {
      // at the next look
    }
  };
  if ("held" in document.body.dataset) {
    document.getElementById("not-reached").hidden = false;
    window.addEventListener("online", goBack);
    setInterval(goBack, BACK_MS);
  }
})();
