// An annotator's screen for the people who run the campaign: the widgets show what was answered, and
// take nothing.
import "./texts.js";
import "./sentence-pairs.js";
import "./reading.js";
import "./hover.js";
"use strict";
(() => {
  const stage = document.getElementById("stage");
  const screen = { changed: () => {}, say: () => {}, words: {} };
  const sliders = (question) => {
    const range = question.querySelector("[type=range]");
    range.hidden = false;
    if (!question.querySelector("input[type=hidden]").disabled) question.classList.add("is-set");
    else range.setAttribute("aria-valuetext", range.dataset.unset);
  };
  for (const question of stage.querySelectorAll("[data-question]")) {
    const name = question.dataset.widget || "radio";
    const make = window.mtevalWidgets?.[name] ?? { slider: sliders }[name];
    try {
      make?.(question, screen);
    } catch (error) {
      console.error(error); // the texts and the other questions are there all the same
    }
  }
  // What widgets would do with a text or a key; links and folded parts still open.
  for (const kind of ["click", "pointerdown", "keydown", "input", "change"]) {
    stage.addEventListener(
      kind,
      (event) => {
        if (event.target.closest?.("a, summary") || event.key === "Tab") return;
        event.stopImmediatePropagation();
      },
      { capture: true },
    );
  }
  // The keys that the links to the items beside name.
  const TO = { n: "next", p: "prev" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    document.querySelector(`#steps a[rel=${TO[event.key] ?? "none"}]`)?.click();
  });
  for (const control of stage.querySelectorAll("button, input, select, textarea"))
    control.disabled = true;
  for (const text of stage.querySelectorAll("[contenteditable]")) text.contentEditable = "false";
})();
