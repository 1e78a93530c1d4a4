// The widgets of the judging screen. What a question looks like and how it is answered is its widget's
// business: one named by data-widget, from a script of the protocol in `mtevalWidgets`, or one of the
// two that stand here. A widget is made for its question whenever its row is opened, and may use
// `screen`; it has
//   isAnswered()      whether it holds a complete answer
//   focus()           puts the focus on its control
//   answers()         [[field name, value], …] of what is there, to be kept as a draft
//   restore(answers)  puts such a draft back; without any, the question is as if never answered
//   choose(key)       answers by a digit or an arrow; whether that key means anything here
//   waits()           for how many milliseconds the next digit belongs to the same answer (optional)
//   why(key)          why a digit answers nothing now (optional)
//   inWords()         the answer in words, where a digit changed what nothing else tells (optional)
//   isOpen()          whether work begins here, and a draft comes back, although nothing is
//                     missing (optional)
//   state()           what the button says where the score of this widget is the one answer that
//                     is missing (optional)
//   undoable()        what of its answers undo and redo change, if not all (optional)
//   flows             whether quick changes are one act, to be undone together (optional)
//   yields(key)       whether such a key answers the question after this one (optional)
//   key(event)        any other key; whether it was for this widget (optional)
//   doubt()           whether the annotator should look once more before a complete answer is
//                     sent; it then shows why, and asks once about the same answer (optional)
//   leave()           the row is closed: lets go of what is outside of the row (optional)
//   decides           whether one key is its whole answer, so that a screen with nothing else may go
//                     on by itself (optional)
"use strict";
(() => {
  const radio = (question) => ({
    decides: true,
    isAnswered: () => question.querySelector(":checked") !== null,
    focus: () =>
      (question.querySelector(":checked") || question.querySelector("input")).focus({
        preventScroll: true,
      }),
    answers: () => [...question.querySelectorAll(":checked")].map(({ name, value }) => [name, value]),
    restore: (answers) => {
      for (const input of question.querySelectorAll("input"))
        input.checked = answers.some(([name, value]) => name === input.name && value === input.value);
    },
    choose: (key) => {
      const answer = question.querySelector(`[data-key="${key}"]`);
      if (answer) answer.checked = true;
      return Boolean(answer);
    },
  });

  // A digit is tenths of the way, so the key after 0 stands for ten of them, whatever is printed on
  // it, but for the star, which is a key of the screen; End is its name where the keyboard has one, and Home the other end. From 0 to 100 digits that
  // follow each other are a number: 6 is 60, and with a 7 after it 67.
  const TENTHS = 10;
  const HIGHEST = 100;
  const TYPING_MS = 1200; // as TOGETHER_MS in history.js: what is typed is one act
  const endAt = ({ key, code }) =>
    key === "Home" ? "min" : key === "End" || (code === "Minus" && key !== "*") ? "max" : null;

  const slider = (question, screen) => {
    const range = question.querySelector("[type=range]");
    const held = question.querySelector("input[type=hidden]");
    const isTyped = Number(range.min) === 0 && Number(range.max) === HIGHEST;
    let typed = { text: "", at: 0 };
    // What depends on all sliders of a screen listens for it.
    const tell = () => question.dispatchEvent(new CustomEvent("mteval-set", { bubbles: true }));
    // Until it is set it has no knob, and says no number: neither is to pull the answer its way.
    const set = (value) => {
      typed = { text: "", at: 0 };
      range.value = value;
      held.disabled = false;
      held.value = range.value;
      range.removeAttribute("aria-valuetext");
      question.classList.add("is-set");
      tell();
    };
    const unset = () => {
      typed = { text: "", at: 0 };
      range.value = range.defaultValue;
      held.disabled = true;
      held.value = "";
      range.setAttribute("aria-valuetext", range.dataset.unset);
      question.classList.remove("is-set");
      tell();
    };
    const answer = (value) => {
      set(value);
      screen.changed();
    };
    range.hidden = false;
    if (held.disabled) range.setAttribute("aria-valuetext", range.dataset.unset);
    else {
      question.classList.add("is-set");
      tell();
    }
    // A press in the middle of an untouched slider moves nothing, and still is an answer.
    for (const event of ["input", "change", "pointerup"])
      range.addEventListener(event, () => answer(range.value));
    for (const tick of question.querySelectorAll("[data-value]"))
      tick.addEventListener("click", () => answer(tick.dataset.value));
    const step = (key) => {
      const isRightToLeft = getComputedStyle(range).direction === "rtl";
      if ((key === "ArrowRight") !== isRightToLeft) range.stepUp();
      else range.stepDown();
    };
    return {
      isAnswered: () => !held.disabled,
      focus: () => range.focus({ preventScroll: true }),
      answers: () => (held.disabled ? [] : [[held.name, held.value]]),
      restore: ([answer]) => (answer ? set(answer[1]) : unset()),
      flows: true,
      choose: (key) => {
        const [low, high] = [Number(range.min), Number(range.max)];
        const at = performance.now();
        const before = isTyped && at - typed.at < TYPING_MS ? typed.text : "";
        // Once two digits stand, only 10 can become another number.
        if (before.length > 1 && before + key !== String(HIGHEST)) return false;
        set(before ? Number(before + key) : low + ((high - low) * Number(key)) / TENTHS);
        typed = { text: before + key, at };
        return true;
      },
      waits: () => (isTyped && (typed.text.length === 1 || typed.text === "10") ? TYPING_MS : 0),
      inWords: () => range.value,
      why: (key) => window.mtevalRefusals.words.offScale.replace("#", typed.text + key),
      // Arrows and ends move a slider before it has the focus, too; then it moves by itself.
      key: (event) => {
        const { key, target } = event;
        const end = endAt(event);
        const isArrow = ["ArrowLeft", "ArrowRight"].includes(key);
        const isItsOwn = target === range && event.code !== "Minus";
        if (event.shiftKey || isItsOwn || !(end || isArrow)) return false;
        if (end) range.value = range[end];
        else step(key);
        range.focus({ preventScroll: true });
        answer(range.value);
        return true;
      },
    };
  };

  window.mtevalWidgets = { radio, slider, ...window.mtevalWidgets };
})();
