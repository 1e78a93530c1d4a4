// Under the mouse a word of the source or of a translation; in the other texts the word at the same
// relative place is marked, which is roughly where its counterpart stands. Nothing in the page
// changes, so that what others make of the texts is safe; browsers without highlights do without.
"use strict";
(() => {
  if (!window.CSS?.highlights || !window.Intl?.Segmenter) return;
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  const mark = new Highlight();
  CSS.highlights.set("counterpart", mark);

  const texts = () => [...document.querySelectorAll("#stage .segment-text")];

  const caret = (event) => {
    if (document.caretPositionFromPoint) {
      const at = document.caretPositionFromPoint(event.clientX, event.clientY);
      return at && [at.offsetNode, at.offset];
    }
    const at = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    return at && [at.startContainer, at.startOffset];
  };

  // How many characters of an element's text stand before a place in it.
  const before = (element, node, offset) => {
    const range = document.createRange();
    range.setStart(element, 0);
    range.setEnd(node, offset);
    return range.toString().length;
  };

  // The word at a character of an element's text, as a range.
  const wordAt = (element, place) => {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const find = (offset) => {
      nodes.currentNode = element;
      let rest = offset;
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        if (rest <= node.length) return [node, rest];
        rest -= node.length;
      }
      return null;
    };
    const text = element.textContent;
    const word = segmenter.segment(text).containing(Math.min(place, text.length - 1));
    const start = word && find(word.index);
    const end = word && find(word.index + word.segment.length);
    if (!start || !end) return null;
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(...end);
    return range;
  };

  let waits = false;
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons || waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      mark.clear();
      const text = event.target.closest?.("#stage .segment-text");
      const at = text?.isConnected && caret(event);
      if (!at || !text.contains(at[0]) || !text.textContent) return;
      const share = before(text, ...at) / text.textContent.length;
      for (const other of texts()) {
        if (other === text || !other.textContent) continue;
        const range = wordAt(other, Math.floor(share * other.textContent.length));
        if (range) mark.add(range);
      }
    });
  });
})();
