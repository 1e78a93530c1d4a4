// Where the annotator reads, and what lies opposite: the source scrolls along and is quietly marked.
// The place is that of the last sign: the cursor of a script that marks words (an event
// `mteval:place` on the text, with its offset), a click, the mouse at rest, the caret of a field, or
// how far the page has been scrolled.
"use strict";
(() => {
  const REST_MS = 120; // so long the mouse stays in a sentence that is read
  const OWN_MS = 600; // so long scrolling is taken for the screen's own
  const TEXTS = ".segment-text:not(.difference .segment-text)";
  const { textOf, sentences, range, offsetAt } = window.mtevalTexts;
  const { pairs } = window.mtevalPairs;
  const mark = window.CSS?.highlights && new Highlight();
  if (mark) CSS.highlights.set("opposite", mark);
  let stage = null;
  let here = null; // the text and the offset in it
  let followed = new WeakMap(); // text → the last place that it was scrolled to
  let isOwn = 0; // until when
  let asked = () => {};
  let isLit = () => false;

  const texts = () => [...stage.querySelectorAll(TEXTS)];
  const isGiven = (text) => Boolean(text.closest(".given")) || text.matches(".of-source");

  // Of a translation source and reference, of these the translations.
  const partners = (text) => {
    const around = text.closest(".paragraph") ?? stage;
    const others = [...around.querySelectorAll(TEXTS)];
    return others.filter((other) => isGiven(other) !== isGiven(text) && other.closest("[hidden]") === null);
  };

  // Pairs of stretches, of the first text and of the second.
  const stretches = (text, other) =>
    isGiven(text) ? pairs(text, other) : pairs(other, text).map(([a, b, c, d]) => [c, d, a, b]);

  // What lies opposite of a place: the sentences from start to end, and in them a point. A text that
  // is not split into sentences is one stretch.
  const counterpart = (text, offset, other) => {
    const linked = window.mtevalLinks?.nearest(text, offset, other) ?? -1;
    if (linked >= 0) {
      const begins = sentences(other);
      const i = begins.findLastIndex((begin) => begin <= linked);
      const isOne = begins.length === 1;
      return { start: isOne ? linked : begins[i], end: isOne ? linked : (begins[i + 1] ?? textOf(other).length), at: linked };
    }
    const all = stretches(text, other);
    const [from, to, start, end] = all.findLast(([a, b]) => a <= offset && a < b) ?? all[0];
    const share = Math.min(1, Math.max(0, (offset - from) / (to - from || 1)));
    const at = Math.floor(start + share * (end - start));
    if (all.length > 1) return { start, end, at };
    const begins = sentences(other);
    if (begins.length === 1) return { start: at, end: at, at };
    const i = begins.findLastIndex((begin) => begin <= at);
    return { start: begins[i], end: begins[i + 1] ?? textOf(other).length, at };
  };

  // ---- The source scrolls along --------------------------------------------------------------
  const paneOf = (text) => {
    for (let node = text.parentElement; node && node !== stage; node = node.parentElement) {
      const isLong = node.scrollHeight > node.clientHeight + 1;
      if (isLong && /auto|scroll/.test(getComputedStyle(node).overflowY)) return node;
    }
    return null;
  };

  // What can be seen of a pane: below its heading, which stays.
  const windowOf = (pane) => {
    const { top, bottom } = pane.getBoundingClientRect();
    const heading = pane.querySelector("summary");
    return { top: top + (heading?.offsetHeight ?? 0), bottom };
  };

  // A long way at once: nobody reads what flies by.
  const glide = (pane, top) => {
    const isFar = Math.abs(top) > 1.5 * pane.clientHeight;
    const isCalm = isFar || matchMedia("(prefers-reduced-motion: reduce)").matches;
    pane.scrollBy({ top, behavior: isCalm ? "instant" : "smooth" });
  };

  const bring = (pane, text, { start, end, at }) => {
    const room = windowOf(pane);
    const height = room.bottom - room.top;
    const word = range(text, at, at + 1) ?? range(text, Math.max(0, at - 1), at);
    let box = range(text, start, end)?.getBoundingClientRect();
    if (!box || box.height > 0.8 * height) box = word?.getBoundingClientRect();
    if (!box) return;
    const line = Math.min(32, height / 6);
    if (box.top < room.top || box.bottom > room.bottom - line)
      glide(pane, box.top - room.top - Math.max(line, (height - box.height) / 4));
  };

  const follow = (text, spot) => {
    const pane = paneOf(text);
    const name = spot.end > spot.start ? spot.start : Math.floor(spot.at / 60);
    if (!pane || followed.get(text) === name) return;
    followed.set(text, name);
    bring(pane, text, spot);
  };

  const show = (isNew) => {
    mark?.clear();
    if (!here?.text.isConnected) return;
    for (const other of partners(here.text)) {
      const spot = counterpart(here.text, here.offset, other);
      const found = !isLit() && range(other, spot.start, spot.end);
      if (found) mark?.add(found);
      if (isNew && isGiven(other)) follow(other, spot);
    }
  };

  const read = (text, offset) => {
    if (offset < 0 || (here?.text === text && here.offset === offset)) return;
    here = { text, offset };
    show(true);
  };

  // A place that was gone to: the page may scroll to it.
  const goTo = (text, offset) => {
    isOwn = performance.now() + OWN_MS;
    read(text, offset);
  };

  // ---- Signs of where one reads --------------------------------------------------------------
  const textAt = (node) => node.closest?.(`#stage :is(${TEXTS})`);

  document.addEventListener("mteval:place", ({ target, detail }) => {
    goTo(target, detail.offset);
    asked(target, detail.offset);
  });

  document.addEventListener("click", ({ target, clientX, clientY, detail }) => {
    const text = detail && textAt(target); // a click of the keyboard has no place
    const offset = text && !("value" in text) ? offsetAt(text, clientX, clientY) : -1;
    if (offset < 0) return;
    goTo(text, offset);
    asked(text, offset);
  });

  let timer = null;
  let rested = null;
  let last = "";
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const point = `${event.clientX} ${event.clientY}`;
    if (point === last) return; // the page moved under the mouse
    last = point;
    const text = textAt(event.target);
    const offset = text && !("value" in text) ? offsetAt(text, event.clientX, event.clientY) : -1;
    const sentence = offset < 0 ? -1 : sentences(text).findLastIndex((begin) => begin <= offset);
    if (rested?.text === text && rested?.sentence === sentence) return;
    clearTimeout(timer);
    rested = { text, sentence };
    if (offset >= 0) timer = setTimeout(() => read(text, offset), REST_MS);
  });

  const caret = () => {
    const field = document.activeElement;
    if (stage && field?.matches("#stage textarea.segment-text")) goTo(field, field.selectionStart);
  };
  for (const event of ["selectionchange", "keyup", "click", "input"])
    document.addEventListener(event, caret);

  // The part of the window where translations are read.
  const room = () => {
    const compared = window.mtevalComparison?.room();
    if (compared) return compared;
    const pinned = stage.querySelector(".given details");
    const isPinned = pinned && getComputedStyle(pinned).position === "sticky";
    const dock = document.querySelector(".dock")?.getBoundingClientRect().top ?? innerHeight;
    return { top: isPinned ? Math.max(0, pinned.getBoundingClientRect().bottom) : 0, bottom: dock };
  };

  // A text that is longer than the window is read as far as it has been scrolled.
  const byScroll = () => {
    const { top, bottom } = room();
    const sees = (box) => Math.min(box.bottom, bottom) - Math.max(box.top, top);
    let best = null;
    for (const text of texts().filter((each) => !isGiven(each))) {
      const box = text.getBoundingClientRect();
      if (sees(box) > 0 && (!best || sees(box) > sees(best.box))) best = { text, box };
    }
    // Scrolled past at one go, it was read to its end.
    if (!best && here && !isGiven(here.text))
      best = { text: here.text, box: here.text.getBoundingClientRect() };
    const rest = best ? best.box.height - (bottom - top) : 0;
    if (rest <= 0) return;
    const share = Math.min(1, Math.max(0, (top - best.box.top) / rest));
    here = { text: best.text, offset: Math.floor(share * Math.max(0, textOf(best.text).length - 1)) };
    show(true);
  };
  let waits = false;
  window.addEventListener(
    "scroll",
    () => {
      if (waits || !stage || performance.now() < isOwn) return;
      waits = true;
      requestAnimationFrame(() => {
        waits = false;
        byScroll();
      });
    },
    { passive: true },
  );

  // ---- A key for the source alone ------------------------------------------------------------
  document.addEventListener("keydown", (event) => {
    const way = { PageDown: 1, PageUp: -1 }[event.key];
    if (!way || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") || !stage) return;
    event.preventDefault();
    const pane = texts().filter(isGiven).map(paneOf).find(Boolean);
    if (!pane) return;
    const { top, bottom } = windowOf(pane);
    glide(pane, way * 0.8 * (bottom - top));
  });

  // ---- Rows ----------------------------------------------------------------------------------
  const redrawn = new MutationObserver(() => show(false)); // pieces of a text were made anew
  const open = (row) => {
    stage = row;
    here = null;
    followed = new WeakMap();
    isOwn = performance.now() + OWN_MS;
    mark?.clear();
    redrawn.disconnect();
    for (const text of texts()) redrawn.observe(text, { childList: true });
    for (const part of stage.querySelectorAll(".given details"))
      part.addEventListener("toggle", () => {
        followed = new WeakMap(); // a part that was folded begins at its top
        show(true);
      });
  };
  document.addEventListener("mteval:open", ({ target }) => open(target));
  open(document.getElementById("stage"));

  window.mtevalReading = {
    texts,
    isGiven,
    partners,
    stretches,
    counterpart,
    goTo,
    room,
    // Whoever lights sentences, while it does, marks what lies opposite itself, and hears of places
    // that were chosen.
    take: (whoAsked, whileLit) => {
      isLit = whileLit;
      asked = whoAsked;
    },
  };
})();
