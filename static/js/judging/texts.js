// Places in the texts of the judging screen: characters, sentences, what stands at a point of the
// window. It changes nothing in the page; offsets are units of UTF-16.
"use strict";
(() => {
  const isField = (element) => "value" in element;
  const textOf = (element) => (isField(element) ? element.value : element.textContent);

  // The server counts code points.
  const fromPoints = (text, points) => {
    const found = [];
    let at = 0;
    let point = 0;
    for (const wanted of points) {
      for (; point < wanted && at < text.length; point += 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
      found.push(at);
    }
    return found;
  };

  // Where the sentences of a text begin; [0] where it is one, or where nobody knows.
  const kept = new WeakMap();
  const sentences = (element) => {
    if (!kept.has(element)) {
      const points = (element.dataset.sentences ?? "0").split(" ").map(Number);
      kept.set(element, fromPoints(textOf(element), points));
    }
    return kept.get(element);
  };

  // The text node and the place in it of an offset.
  const place = (element, offset) => {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let rest = offset;
    let last = null;
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      if (rest <= node.length) return [node, rest];
      rest -= node.length;
      last = node;
    }
    return last && [last, last.length];
  };

  // From start to end, without the space at its end; null where there is nothing, or in a field.
  const range = (element, start, end) => {
    const size = textOf(element).slice(start, end).trimEnd().length;
    if (isField(element) || !size) return null;
    const found = document.createRange();
    found.setStart(...place(element, start));
    found.setEnd(...place(element, start + size));
    return found;
  };

  const offsetOf = (element, node, within) => {
    const before = document.createRange();
    before.setStart(element, 0);
    before.setEnd(node, within);
    return before.toString().length;
  };

  // The character of an element's text at a point of the window; -1 where there is none.
  const offsetAt = (element, x, y) => {
    let found;
    if (document.caretPositionFromPoint) {
      const at = document.caretPositionFromPoint(x, y);
      found = at && [at.offsetNode, at.offset];
    } else {
      const at = document.caretRangeFromPoint?.(x, y);
      found = at && [at.startContainer, at.startOffset];
    }
    return found && element.contains(found[0]) ? offsetOf(element, ...found) : -1;
  };

  window.mtevalTexts = { textOf, sentences, place, range, offsetOf, offsetAt, fromPoints };
})();
