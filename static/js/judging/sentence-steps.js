// Reading sentence by sentence, as in Anthea: the pair in work is lit, what was not read yet is grey,
// the space bar goes on. In a comparison table (comparison.js) a step is a row of it, and nothing is
// grey unless the annotator or the campaign asked for that. None of it is sent: what is judged is
// the paragraph.
"use strict";
(() => {
  const control = document.getElementById("sentence-steps");
  if (!control || !window.CSS?.highlights) return; // an old browser shows the text as a whole
  const { textOf, sentences, range } = window.mtevalTexts;
  const reading = window.mtevalReading;
  const table = window.mtevalComparison;
  const isAsked = "asked" in control.dataset;
  const lit = new Highlight();
  const unread = new Highlight();
  CSS.highlights.set("lit", lit);
  CSS.highlights.set("unread", unread);
  const words = control.dataset;
  const label = control.querySelector("span");
  let stage = null;
  let steps = []; // [[text, from, to], …]: a sentence, and what lies opposite
  let isTable = false;
  let current = 0;
  let readTo = new Map(); // text → where what was not read yet begins; table and list share it

  // Of a translation with its source (or reference): every pair, also what one of them leaves out.
  const stepsOf = (text) => {
    const [given] = reading.partners(text);
    if (given)
      return reading
        .stretches(given, text)
        .map(([start, end, from, to]) => [[text, from, to], [given, start, end]]);
    const begins = sentences(text);
    return begins.map((from, i) => [[text, from, begins[i + 1] ?? textOf(text).length]]);
  };

  const outputs = () => reading.texts().filter((text) => !reading.isGiven(text) && !("value" in text));
  const listed = () => {
    const found = isAsked ? outputs().flatMap(stepsOf) : [];
    return found.length > outputs().length ? found : []; // one sentence each
  };

  const draw = () => {
    lit.clear();
    unread.clear();
    if (!steps.length || !steps[0][0][0].isConnected) return;
    if (isTable) table.light(current);
    for (const [text, from, to] of isTable ? [] : steps[current]) {
      const found = range(text, from, to);
      if (found) lit.add(found);
    }
    // With forced colors the browser would give what is grey the background of what is lit.
    if (!isAsked || matchMedia("(forced-colors: active)").matches) return;
    for (const text of new Set(steps.flat().map(([each]) => each))) {
      const found = range(text, readTo.get(text) ?? 0, textOf(text).length);
      if (found) unread.add(found);
    }
  };

  const show = () => (label.textContent = `${current + 1} / ${steps.length}`);

  const tell = () => {
    const at = words.at.replace("##", steps.length).replace("#", current + 1);
    show();
    const [[, from, to]] = steps[current];
    window.mtevalScreen?.say(to > from ? at : `${at}: ${words.nothing}`);
  };

  // Up to a step all is read: source and reference with the first translation.
  const readUpTo = (index) => {
    for (const [text, , to] of steps.slice(0, index + 1).flat())
      readTo.set(text, Math.max(readTo.get(text) ?? 0, to));
  };

  const moveTo = (index) => {
    current = index;
    readUpTo(current);
    draw();
    tell();
  };

  // The annotator asked to go on: the sentence comes into sight, with room for the next ones.
  const bringIntoSight = () => {
    const boxes = steps[current]
      .slice(0, isTable ? undefined : 1)
      .map(([text, from, to]) => range(text, from, to) ?? range(text, Math.max(0, from - 1), from))
      .map((found) => found?.getBoundingClientRect())
      .filter((box) => box?.height);
    if (!boxes.length) return;
    const [boxTop, boxBottom] = [
      Math.min(...boxes.map((box) => box.top)),
      Math.max(...boxes.map((box) => box.bottom)),
    ];
    const { top, bottom } = reading.room();
    if (boxTop >= top + 8 && boxBottom <= bottom - 40) return;
    const above = isTable ? 8 : (bottom - top) / 4;
    window.scrollBy({ top: boxTop - top - above, behavior: "instant" });
  };

  const go = (way) => {
    const next = current + way;
    if (next < 0) {
      window.mtevalScreen?.refuse(window.mtevalRefusals.words.firstSentence);
      return;
    }
    if (next >= steps.length) {
      window.mtevalScreen?.visitOpen();
      window.mtevalScreen?.say(words.read);
      return;
    }
    moveTo(next);
    bringIntoSight();
    const [[text, from]] = steps[current];
    reading.goTo(text, from);
    // One place for all keys: what is asked is of this translation, and arrows enter here.
    const output = text.closest(".output");
    if (output) window.mtevalScreen?.markIn(output);
    for (const [each, start] of steps[current])
      each.dispatchEvent(new CustomEvent("mteval:enter", { detail: { offset: start } }));
  };

  control.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) go(Number(button.dataset.step));
  });

  // The space bar, and in a table the arrows up and down; controls and texts have their own.
  const OWN = "a, button, summary, textarea, select, input, [contenteditable]";
  const wayOf = ({ key, shiftKey, target }) => {
    if (key === " ") return shiftKey ? -1 : 1;
    if (!isTable || shiftKey || target.matches("[role=listbox], [tabindex]:not(#stage, main)")) return 0;
    if (stage.querySelector("[data-arrows]")) return 0; // an arrow is an answer there
    return { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
  };
  document.addEventListener("keydown", (event) => {
    const way = steps.length ? wayOf(event) : 0;
    if (!way || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (document.body.matches(".no-keys") || document.querySelector("dialog[open]")) return;
    if (event.target.matches(OWN)) return;
    event.preventDefault();
    go(way);
  });

  // Whoever goes to a place in a text reads there.
  const isThere = (text, offset) => (step) =>
    step.some(([each, from, to]) => each === text && from <= offset && offset < to);
  reading.take(
    (text, offset) => {
      const index = steps.findIndex(isThere(text, offset));
      if (index >= 0 && index !== current) moveTo(index);
    },
    () => steps.length > 0,
  );

  const redrawn = new MutationObserver(draw);
  const begin = () => {
    const rows = table.rows();
    const place = steps[current]?.[0];
    isTable = Boolean(rows);
    steps = rows ?? listed();
    // Table and list begin where one was reading.
    const here = place ? steps.findIndex(isThere(place[0], place[1])) : -1;
    current = Math.max(0, here);
    readUpTo(stage.dataset.judged ? steps.length - 1 : current);
    control.hidden = !steps.length;
    draw();
    if (steps.length) show();
  };
  const open = (row) => {
    stage = row;
    steps = [];
    readTo = new Map();
    redrawn.disconnect();
    for (const text of reading.texts()) redrawn.observe(text, { childList: true });
    begin();
  };
  document.addEventListener("mteval:open", ({ target }) => open(target));
  document.addEventListener("mteval:compared", () => stage?.isConnected && begin());
})();
