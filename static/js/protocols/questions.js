// A question that is answered in one's own words, or by "The text does not say". See the widgets of
// judge.js; questions with choices are its radio buttons.
"use strict";
(window.mtevalWidgets ??= {})["open-question"] = (question, screen) => {
  const box = question.querySelector("textarea");
  const untold = question.querySelector("[type=checkbox]");

  // Word processors paste marks of their own, which no text should hold.
  const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g;
  const clean = () => {
    const text = box.value.replace(CONTROL, " ");
    if (text === box.value) return;
    const place = box.selectionEnd;
    box.value = text;
    box.setSelectionRange(place, place);
  };

  box.addEventListener("input", () => {
    clean();
    if (box.value.trim()) untold.checked = false;
    screen.changed();
  });
  untold.addEventListener("change", () => {
    if (untold.checked) box.value = "";
    screen.changed();
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") untold.focus({ preventScroll: true });
    else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      // To the next question that waits; where none does, the form is sent.
      if (!event.repeat) box.form.requestSubmit();
    } else return;
    event.preventDefault();
  });

  return {
    isAnswered: () => untold.checked || box.value.trim() !== "",
    focus: () => (untold.checked ? untold : box).focus({ preventScroll: true }),
    answers: () =>
      untold.checked ? [[untold.name, "1"]] : box.value.trim() ? [[box.name, box.value]] : [],
    restore: (answers) => {
      const kept = Object.fromEntries(answers);
      box.value = kept[box.name] ?? "";
      untold.checked = untold.name in kept;
    },
    flows: true,
    choose: (key) => {
      if (key !== "0") return false;
      untold.checked = true;
      box.value = "";
      return true;
    },
    key: (event) => {
      if (event.key !== "1" && event.key !== "e") return false;
      box.focus({ preventScroll: true });
      return true;
    },
  };
};
