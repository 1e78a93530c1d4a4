// A key that cannot act says why: for the ear where judge.js says everything else, for the eye in a
// line above the bar. It stays until the next key or press.
"use strict";
(() => {
  const line = document.getElementById("refusal");
  // Written only where it changes something: otherwise what a screen reader announces meanwhile is lost.
  const hide = () => line.hidden || (line.hidden = true);
  for (const event of ["keydown", "pointerdown", "mteval:open"]) document.addEventListener(event, hide, true);

  window.mtevalRefusals = {
    words: line.dataset,
    show: (text) => {
      line.textContent = text;
      line.hidden = false;
    },
  };
})();
