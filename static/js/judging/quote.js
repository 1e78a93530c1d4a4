// Words that are chosen when *Skip or flag* is opened go with the note: selected by mouse, finger or
// keys, picked for a mark, or those of the error in work. The site checks that they stand there.
"use strict";
(() => {
  const MOST = 2000; // characters, as the form takes them
  const { textOf, offsetOf } = window.mtevalTexts;
  const stage = () => document.getElementById("stage");
  const textAround = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest("#stage .segment-text");

  // Which text of the screen it is; null for others, such as the reference or one of many paragraphs.
  const nameOf = (text) => {
    if (text.closest("[data-part=source]")) return { side: "source", place: "" };
    const output = text.closest(".judged .output");
    if (!output || output.querySelectorAll(".segment-text").length > 1) return null;
    return { side: "target", place: [...stage().querySelectorAll(".judged .output")].indexOf(output) + 1 };
  };

  const selected = () => {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const text = textAround(range.startContainer);
    if (!text || "value" in text || text !== textAround(range.endContainer)) return null;
    const ends = [[range.startContainer, range.startOffset], [range.endContainer, range.endOffset]];
    return [text, ...ends.map((each) => offsetOf(text, ...each))];
  };
  const picked = () => {
    const pieces = [...(stage()?.querySelectorAll(".piece.is-picked, .piece.is-active") ?? [])];
    const text = pieces.length && textAround(pieces[0]);
    if (!text) return null;
    const last = pieces.filter((piece) => text.contains(piece)).at(-1);
    return [text, offsetOf(text, pieces[0], 0), offsetOf(text, last, last.childNodes.length)];
  };

  // {side, place, start, quote}; the site counts code points.
  const chosen = () => {
    const [text, from, to] = selected() ?? picked() ?? [];
    const name = text && nameOf(text);
    if (!name) return null;
    const all = textOf(text);
    const quote = [...all.slice(from, to).trim()].slice(0, MOST).join("");
    const start = [...all.slice(0, from + all.slice(from, to).search(/\S/))].length;
    return quote ? { ...name, start, quote } : null;
  };

  // Pressing a link ends what is selected before it is a click.
  let pressed = null;
  document.addEventListener("pointerdown", () => (pressed = chosen()), true);
  let words = null;
  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest?.("[data-dialog=note]")) words = event.detail ? pressed : chosen();
    },
    true,
  );
  document.addEventListener("mteval:filled", ({ target }) => {
    if (target.id !== "note") return;
    document.getElementById("quoted").hidden = !words;
    document.getElementById("quoted-hint").hidden = Boolean(words);
    if (!words) return;
    document.getElementById("quoted-words").textContent = words.quote;
    const { elements } = target.querySelector("#note-form form");
    for (const [name, value] of Object.entries(words)) elements[name].value = value;
  });
})();
