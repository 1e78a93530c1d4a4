// A text to correct: what was changed, keystrokes, and time with the text under the hands. See the widgets of judge.js.
"use strict";
(window.mtevalWidgets ??= {})["post-edit"] = (question, screen) => {
  const IDLE_MS = 60000;
  const find = (name) => question.querySelector(`[data-${name}]`);
  const box = question.querySelector("textarea[name]");
  const original = find("original").value;
  const choices = [...question.querySelectorAll("[type=radio]")];
  const chosen = () => choices.find((choice) => choice.checked)?.value;
  const choice = (value) => choices.find((each) => each.value === value);
  const byCharacter = question.dataset.unit === "character";

  // ---- What was changed ------------------------------------------------------------------
  const words = (text) =>
    byCharacter ? [...text.replace(/\s+/gu, "")] : text.split(/\s+/u).filter(Boolean);

  // Pieces of both texts in order, as [sign, words]: "=" in both, "-" only before, "+" only after;
  // by a longest common subsequence of what is left between the same beginning and the same end.
  const compare = (before, after) => {
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start]) start++;
    let end = 0;
    while (
      end < before.length - start &&
      end < after.length - start &&
      before[before.length - 1 - end] === after[after.length - 1 - end]
    )
      end++;
    const a = before.slice(start, before.length - end);
    const b = after.slice(start, after.length - end);
    const width = b.length + 1;
    const longest = new Uint16Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        longest[i * width + j] =
          a[i] === b[j]
            ? longest[(i + 1) * width + j + 1] + 1
            : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    const steps = before.slice(0, start).map((word) => ["=", word]);
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) {
        steps.push(["=", a[i]]);
        i++;
        j++;
      } else if (
        i < a.length &&
        (j === b.length || longest[(i + 1) * width + j] >= longest[i * width + j + 1])
      )
        steps.push(["-", a[i++]]);
      else steps.push(["+", b[j++]]);
    }
    steps.push(...before.slice(before.length - end).map((word) => ["=", word]));
    // Neighbors of one sign are one piece, what was taken away before what was put there.
    const pieces = [];
    let gone = [];
    let come = [];
    const close = () => {
      if (gone.length) pieces.push(["-", gone]);
      if (come.length) pieces.push(["+", come]);
      gone = [];
      come = [];
    };
    for (const [sign, word] of steps) {
      if (sign === "-") gone.push(word);
      else if (sign === "+") come.push(word);
      else {
        close();
        if (pieces.at(-1)?.[0] === "=") pieces.at(-1)[1].push(word);
        else pieces.push(["=", [word]]);
      }
    }
    close();
    return pieces;
  };

  const isChanged = () => box.value.trim() !== original.trim();
  const space = byCharacter ? "" : " ";
  const draw = () => {
    find("difference").hidden = !isChanged();
    const tags = { "-": "del", "+": "ins" };
    const nodes = compare(words(original), words(box.value)).flatMap(([sign, piece]) => {
      const text = piece.join(space);
      if (sign === "=") return [text + space];
      const element = document.createElement(tags[sign]);
      element.textContent = text;
      return [element, space];
    });
    find("changes").replaceChildren(...nodes);
    find("reset").disabled = !isChanged();
  };
  let waiting = 0;
  const drawSoon = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(draw);
  };

  // ---- What belongs together ---------------------------------------------------------------
  const settle = () => {
    // An edit is one as long as the text differs, whatever else was chosen before.
    if (isChanged()) choice("edited").checked = true;
    else if (chosen() === "edited") choice("edited").checked = false;
    drawSoon();
  };
  const reset = () => {
    if (box.value === original) return;
    screen.newAct();
    box.value = original;
    settle();
    screen.changed();
    screen.say(question.dataset.restored);
  };

  // ---- How much work it was --------------------------------------------------------------
  const keystrokes = find("keystrokes");
  const active = find("active");
  let sign = null;
  const signOfLife = () => {
    const now = performance.now();
    if (sign !== null)
      active.value = Math.round(Number(active.value) + Math.min(now - sign, IDLE_MS));
    sign = document.hidden ? null : now;
  };
  box.addEventListener("focus", () => {
    sign = performance.now();
  });
  box.addEventListener("blur", () => {
    signOfLife();
    sign = null;
  });
  for (const event of ["input", "keydown", "pointerdown", "pointermove", "select"])
    box.addEventListener(event, () => {
      if (document.activeElement === box) signOfLife();
    });

  // ---- Events ----------------------------------------------------------------------------
  const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];
  // Word processors paste marks of their own, which no text should hold.
  const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g;
  const clean = () => {
    const text = box.value.replace(CONTROL, (mark) => (original.includes(mark) ? mark : " "));
    if (text === box.value) return;
    const place = box.selectionEnd;
    box.value = text;
    box.setSelectionRange(place, place);
  };

  box.addEventListener("input", () => {
    clean();
    settle();
    screen.changed();
  });
  box.addEventListener("keydown", (event) => {
    if (!MODIFIERS.includes(event.key)) keystrokes.value = Number(keystrokes.value) + 1;
    if (event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") (choices.find((each) => each.checked) || choices[0]).focus({ preventScroll: true });
    else if (command && event.key === "Enter" && !event.repeat) box.form.requestSubmit();
    else return;
    event.preventDefault();
  });
  find("reset").addEventListener("click", () => {
    reset();
    box.focus({ preventScroll: true });
  });

  // To say that nothing is to be corrected takes one's changes back.
  const pick = (value) => {
    const one = choice(value);
    if (!one) return false;
    one.checked = true;
    if (value === "edited") {
      if (!isChanged()) screen.say(question.dataset.unchanged);
      box.focus({ preventScroll: true });
    } else reset();
    one.checked = true;
    return true;
  };
  for (const one of choices) one.addEventListener("change", () => pick(one.value));

  find("tools").hidden = false;
  draw();
  return {
    isAnswered: () => Boolean(chosen()) && (chosen() === "edited") === isChanged(),
    focus: () => {
      const one = choices.find((each) => each.checked && each.value !== "edited");
      (one || box).focus({ preventScroll: true });
    },
    answers: () =>
      chosen() || isChanged() ? [box, keystrokes, active].map((input) => [input.name, input.value]).concat([["outcome", chosen() || ""]]) : [],
    // Keystrokes and time are measured: nothing takes them back.
    undoable: () => [[box.name, box.value], ["outcome", chosen() || ""]],
    flows: true,
    restore: (answers) => {
      const kept = Object.fromEntries(answers);
      box.value = kept[box.name] ?? original;
      for (const input of [keystrokes, active]) input.value = kept[input.name] ?? input.value;
      for (const one of choices) one.checked = one.value === kept.outcome;
      settle();
    },
    choose: (key) => {
      const one = choices.find((each) => each.dataset.key === key);
      return Boolean(one) && one.value !== "edited" && pick(one.value);
    },
    key: (event) => {
      const one = choices.find((each) => each.dataset.key === event.key);
      return one?.value === "edited" && pick("edited");
    },
  };
};
