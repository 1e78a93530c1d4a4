// Reading a paragraph sentence by sentence, as in Anthea: the pair in work is lit, what was not read
// yet is grey, the space bar goes on. Nothing of it is sent: what is judged is the paragraph.
"use strict";
(() => {
  const control = document.getElementById("sentence-steps");
  if (!control || !window.CSS?.highlights) return; // an old browser shows the text as a whole
  const { textOf, sentences, range } = window.mtevalTexts;
  const reading = window.mtevalReading;
  const lit = new Highlight();
  const unread = new Highlight();
  CSS.highlights.set("lit", lit);
  CSS.highlights.set("unread", unread);
  const words = control.dataset;
  const label = control.querySelector("span");
  let stage = null;
  let steps = []; // {text, from, to, given, start, end}: a sentence, and what lies opposite
  let current = 0;
  let furthest = 0;

  // Of a translation with its source (or reference): every pair, also what one of them leaves out.
  const stepsOf = (text) => {
    const [given] = reading.partners(text);
    if (given)
      return reading
        .stretches(given, text)
        .map(([start, end, from, to]) => ({ text, from, to, given, start, end }));
    const begins = sentences(text);
    return begins.map((from, i) => ({ text, from, to: begins[i + 1] ?? textOf(text).length }));
  };

  const draw = () => {
    lit.clear();
    unread.clear();
    if (!steps.length || !steps[0].text.isConnected) return;
    const add = (highlight, text, from, to) => {
      const found = text && range(text, from, to);
      if (found) highlight.add(found);
    };
    const { text, from, to, given, start, end } = steps[current];
    add(lit, text, from, to);
    add(lit, given, start, end);
    // With forced colors the browser would give what is grey the background of what is lit.
    if (matchMedia("(forced-colors: active)").matches) return;
    // Source and reference are read with the first translation.
    const ahead = new Map(); // text → where what was not read begins
    for (const step of steps.slice(furthest + 1)) {
      if (!ahead.has(step.text)) ahead.set(step.text, step.from);
      const isFirst = step.given && step.text === steps[0].text;
      if (isFirst && !ahead.has(step.given)) ahead.set(step.given, step.start);
    }
    for (const [each, begin] of ahead) add(unread, each, begin, textOf(each).length);
  };

  const tell = () => {
    const at = words.at.replace("##", steps.length).replace("#", current + 1);
    label.textContent = `${current + 1} / ${steps.length}`;
    const { from, to } = steps[current];
    window.mtevalScreen?.say(to > from ? at : `${at}: ${words.nothing}`);
  };

  const moveTo = (index) => {
    current = index;
    furthest = Math.max(furthest, current);
    draw();
    tell();
  };

  // The annotator asked to go on: the sentence comes into sight, with room for the next ones.
  const bringIntoSight = () => {
    const { text, from, to } = steps[current];
    const found = range(text, from, to) ?? range(text, Math.max(0, from - 1), from);
    const box = found?.getBoundingClientRect();
    const { top, bottom } = reading.room();
    if (!box || (box.top >= top + 8 && box.bottom <= bottom - 40)) return;
    window.scrollBy({ top: box.top - top - (bottom - top) / 4, behavior: "instant" });
  };

  const go = (way) => {
    const next = current + way;
    if (next < 0) return;
    if (next >= steps.length) {
      window.mtevalScreen?.visitOpen();
      window.mtevalScreen?.say(words.read);
      return;
    }
    moveTo(next);
    bringIntoSight();
    reading.goTo(steps[current].text, steps[current].from);
  };

  control.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) go(Number(button.dataset.step));
  });

  // Controls have their own space bar.
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.ctrlKey || event.altKey || event.metaKey || !steps.length) return;
    if (document.body.matches(".no-keys") || document.querySelector("dialog[open]")) return;
    if (event.target.matches("a, button, summary, textarea, select, input, [contenteditable]")) return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  });

  // Whoever goes to a place in a text reads there.
  reading.take((text, offset) => {
    const here = (step) =>
      (step.text === text && step.from <= offset && offset < step.to) ||
      (step.given === text && step.start <= offset && offset < step.end);
    const index = steps.findIndex(here);
    if (index >= 0 && index !== current) moveTo(index);
  });

  const redrawn = new MutationObserver(draw);
  const open = (row) => {
    stage = row;
    const outputs = reading.texts().filter((text) => !reading.isGiven(text) && !("value" in text));
    steps = outputs.flatMap(stepsOf);
    if (steps.length <= outputs.length) steps = []; // one sentence each
    current = 0;
    furthest = stage.dataset.judged ? steps.length - 1 : 0;
    control.hidden = !steps.length;
    redrawn.disconnect();
    for (const text of reading.texts()) redrawn.observe(text, { childList: true });
    draw();
    if (steps.length) label.textContent = `1 / ${steps.length}`;
  };
  document.addEventListener("mteval:open", ({ target }) => open(target));
})();
