// Under the mouse a word of the source or of a translation; in the other texts the words to which an
// aligner links it are marked (word-links.js, where the campaign shows links), or else the word at the
// same place of the sentence opposite, which is roughly where its counterpart stands. Nothing in
// the page changes, so that what others make of the texts is safe; browsers without highlights do
// without.
"use strict";
(() => {
  if (!window.CSS?.highlights || !window.Intl?.Segmenter) return;
  const { textOf, range, offsetAt } = window.mtevalTexts;
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  const mark = new Highlight();
  CSS.highlights.set("counterpart", mark);

  const wordAt = (element, place) => {
    const text = textOf(element);
    const word = segmenter.segment(text).containing(Math.min(place, text.length - 1));
    return word && range(element, word.index, word.index + word.segment.length);
  };

  const show = (text, offset) => {
    mark.clear();
    if (offset < 0 || !textOf(text)) return;
    const { texts, partners, counterpart } = window.mtevalReading;
    const known = partners(text);
    for (const other of texts()) {
      if (other === text || !textOf(other)) continue;
      const linked = window.mtevalLinks?.opposite(text, offset, other);
      if (window.mtevalLinks && !linked && !known.includes(other)) continue;
      const place = known.includes(other)
        ? () => counterpart(text, offset, other).at
        : () => Math.floor((offset / textOf(text).length) * textOf(other).length);
      const found = linked ? linked.map(([start, end]) => range(other, start, end)) : [wordAt(other, place())];
      for (const each of found) if (each) mark.add(each);
    }
  };

  let waits = false;
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons || waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      const text = event.target.closest?.("#stage .segment-text:not(textarea)");
      show(text, text?.isConnected ? offsetAt(text, event.clientX, event.clientY) : -1);
    });
  });

  // A tap and the cursor of the keys show links alone: nobody asked them for what is roughly opposite.
  document.addEventListener("click", ({ target, clientX, clientY, detail }) => {
    const text = window.mtevalLinks && detail && target.closest?.("#stage .segment-text:not(textarea)");
    if (text) show(text, offsetAt(text, clientX, clientY));
  });
  document.addEventListener("mteval:place", ({ target, detail }) => {
    if (window.mtevalLinks) show(target, detail.offset);
  });
})();
