// Words that an aligner links, and words of the source that it found nothing for. Links travel with a
// text as `data-word-links` ("0 3 1 4|0 5|0-0 1-0": of each word of the source and of the text the gap
// before it and its length, then the links), hints as `data-hints`: places in the source. Offsets that
// come from the server count code points.
"use strict";
(() => {
  const { textOf, range, fromPoints } = window.mtevalTexts;
  const SOURCE = '[data-part="source"] .segment-text, .source-cell .segment-text';
  const ANSWERED = "[data-word-links]";

  // Words of a text as [start, end].
  const wordsOf = (written, text) => {
    const numbers = written.split(" ").map(Number);
    const points = [];
    let at = 0;
    for (const step of written ? numbers : []) points.push((at += step));
    const places = fromPoints(text, points);
    return Array.from({ length: places.length / 2 }, (_, i) => [places[2 * i], places[2 * i + 1]]);
  };

  const kept = new WeakMap();
  const linksOf = (target, source) => {
    const known = kept.get(target);
    if (known?.source === source) return known;
    const [ones, others, pairs] = target.dataset.wordLinks.split("|");
    const links = pairs ? pairs.split(" ").map((pair) => pair.split("-").map(Number)) : [];
    const words = [wordsOf(ones, textOf(source)), wordsOf(others, textOf(target))];
    const made = { source, words, links };
    kept.set(target, made);
    return made;
  };

  const sourceOf = (target) => (target.closest(".paragraph") ?? document.getElementById("stage")).querySelector(SOURCE);

  // The words of both sides and the links from the one to the other; null where none are known.
  const between = (text, other) => {
    if (other.matches(SOURCE) && text.matches(ANSWERED) && sourceOf(text) === other) {
      const { words, links } = linksOf(text, other);
      return { ours: words[1], theirs: words[0], links: links.map(([i, j]) => [j, i]) };
    }
    if (text.matches(SOURCE) && other.matches(ANSWERED) && sourceOf(other) === text) {
      const { words, links } = linksOf(other, text);
      return { ours: words[0], theirs: words[1], links };
    }
    return null;
  };

  const linked = ({ ours, theirs, links }, offset) => {
    const word = ours.findIndex(([start, end]) => start <= offset && offset < end);
    return links.filter(([i]) => i === word).map(([, j]) => theirs[j]);
  };

  // What is linked to the word at a place, as [start, end] in another text; null where nobody knows.
  // From one translation to another by way of the source.
  const opposite = (text, offset, other) => {
    const known = between(text, other);
    if (known) return linked(known, offset);
    if (!text.matches(ANSWERED) || !other.matches(ANSWERED)) return null;
    const source = sourceOf(text);
    if (!source || sourceOf(other) !== source) return null;
    const there = between(source, other);
    const places = linked(between(text, source), offset).flatMap(([start]) => linked(there, start));
    return [...new Set(places)];
  };

  // The place to which the linked word leads that is nearest to a place; -1 where nobody knows.
  const nearest = (text, offset, other) => {
    const known = between(text, other);
    if (!known?.links.length) return -1;
    const away = ([i]) => {
      const [start, end] = known.ours[i];
      return start <= offset && offset < end ? 0 : 1 + Math.min(Math.abs(start - offset), Math.abs(end - offset));
    };
    const best = known.links.reduce((one, link) => (away(link) < away(one) ? link : one));
    return known.theirs[best[1]][0];
  };

  // ---- Hints ---------------------------------------------------------------------------------
  const mark = window.CSS?.highlights && new Highlight();
  if (mark) CSS.highlights.set("unanswered", mark);
  let work = null; // the translation that is worked on

  const draw = () => {
    mark?.clear();
    if (!work?.isConnected || !work.dataset.hints) return;
    const source = sourceOf(work);
    if (!source) return;
    const points = work.dataset.hints.split(/[ -]/).map(Number);
    const places = fromPoints(textOf(source), points);
    for (let i = 0; i < places.length; i += 2) {
      const found = range(source, places[i], places[i + 1]);
      if (found) mark?.add(found);
    }
  };

  const take = ({ target }) => {
    const text = target.closest?.("#stage .output")?.querySelector(".segment-text");
    if (!text || text === work) return;
    work = text;
    draw();
  };
  for (const sign of ["pointerover", "focusin", "mteval:place"]) document.addEventListener(sign, take);

  const redrawn = new MutationObserver(draw); // pieces of the source were made anew
  const open = () => {
    const stage = document.getElementById("stage");
    work = stage.querySelector(".output .segment-text");
    redrawn.disconnect();
    for (const source of stage.querySelectorAll(SOURCE)) redrawn.observe(source, { childList: true });
    draw();
  };
  document.addEventListener("mteval:open", open);
  open();

  window.mtevalLinks = { opposite, nearest };
})();
