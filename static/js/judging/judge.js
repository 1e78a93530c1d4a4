// The judging screen: questions and their keys, active time and drafts. onward.js has what happens on
// the way from one item to the next. Everything also works without these files, by an ordinary form.
"use strict";
(() => {
  const IDLE_MS = 60000;
  const DRAFT_MS = 30 * 24 * 3600 * 1000;
  const form = document.getElementById("answer");
  const go = document.getElementById("go");
  const status = document.getElementById("status");
  const trouble = document.getElementById("trouble");
  const words = form.dataset;
  const rows = window.mtevalRows;
  const panels = window.mtevalPanels;
  const onward = window.mtevalOnward;
  const history = window.mtevalHistory;
  const refusals = window.mtevalRefusals;
  let stage = null; // the open row
  let questions = [];
  let current = 0;

  // ---- Questions -------------------------------------------------------------------------
  // What a widget is, and those that every protocol may name, is in widgets.js.
  const widgets = window.mtevalWidgets;
  let made = new Map();
  const widget = (question) => made.get(question);
  const isAnswered = (question) => widget(question).isAnswered();
  const isOpen = (question) => !isAnswered(question) || Boolean(widget(question).isOpen?.());
  const missing = () => questions.filter((question) => !isAnswered(question));

  const mark = (index) => {
    current = Math.max(0, Math.min(questions.length - 1, index));
    questions.forEach((question, i) => question.classList.toggle("is-current", i === current));
    questions[current]?.dispatchEvent(new CustomEvent("mteval:current", { bubbles: true }));
  };

  // Where the annotator asked to go: only then does the page move.
  const visit = (index) => {
    mark(index);
    widget(questions[current]).focus();
    questions[current].scrollIntoView({ block: "nearest" });
  };

  // An answer goes on to the next question where it stands: nothing jumps under those who rate.
  // In a table keys go on through the text, where a radio button would take them.
  const isTable = () => stage.matches(".is-table");
  const goOnTo = (index) => {
    mark(index);
    if (isTable()) stage.focus({ preventScroll: true });
    else widget(questions[current]).focus();
  };

  const whatIsMissing = (n) => {
    if (n === 0) return words.complete;
    if (n > 1) return words.manyMissing.replace("#", n);
    return [...made.values()].map((each) => each.state?.()).find(Boolean) ?? words.oneMissing;
  };

  const refresh = () => {
    const n = missing().length;
    if (onward.isBusy()) return;
    go.textContent = whatIsMissing(n);
    go.classList.toggle("is-incomplete", n > 0);
  };

  // The same words are announced once more only if they were gone for a moment.
  const GONE_MS = 60;
  let again = null;
  const say = (text) => {
    clearTimeout(again);
    const isSame = text !== "" && text === status.textContent;
    status.textContent = isSame ? "" : text;
    if (isSame) again = setTimeout(() => (status.textContent = text), GONE_MS);
  };

  // A key of this screen that cannot act now.
  const refuse = (text) => {
    say(text);
    refusals.show(text);
  };

  const changed = () => {
    onward.changed();
    refresh();
    const question = questions[current];
    history.note(states(), question && widget(question).flows ? question.id : "");
    saveDraft();
    showUndo();
    clearTimeout(again);
    status.textContent = go.textContent; // nobody wants to hear it at every step of a slider
  };

  // ---- Drafts: answers that were not submitted yet survive a reload, a closed tab and a crash ----
  const PREFIX = "mteval-draft-";
  const store = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null; // storage may be forbidden; everything else works without
    }
  };

  const answers = () => questions.map((question) => [question.id, widget(question).answers()]);
  const undoable = (question) => (widget(question).undoable ?? widget(question).answers)();
  const states = () => questions.map((question) => [question.id, undoable(question)]);

  // `isWanted`: whether a question takes what was kept of it.
  const restore = (kept, isWanted) => {
    for (const [id, given] of kept) {
      const question = document.getElementById(id);
      if (question && given.length && isWanted(question)) widget(question).restore(given);
    }
  };

  const saveDraft = () => {
    if (!stage.dataset.draft) return;
    const draft = { at: Date.now(), answers: answers() };
    const keep = (value) =>
      store((s) => (s.setItem(PREFIX + stage.dataset.draft, JSON.stringify(value)), true));
    // Where there is no room for what could be undone there may be for the answers.
    if (!keep({ ...draft, history: history.kept() })) keep(draft);
  };

  const restoreDraft = () => {
    if (!stage.dataset.draft) return null;
    const draft = JSON.parse(store((s) => s.getItem(PREFIX + stage.dataset.draft)) || "{}");
    restore(draft.answers ?? [], isOpen);
    return draft.history;
  };

  const dropDraft = (name) => store((s) => s.removeItem(PREFIX + name));

  const dropOldDrafts = () =>
    store((s) => {
      for (const name of Object.keys(s)) {
        if (!name.startsWith(PREFIX)) continue;
        if (!(JSON.parse(s.getItem(name)).at > Date.now() - DRAFT_MS)) s.removeItem(name);
      }
    });

  // ---- Undo and redo -----------------------------------------------------------------------
  const undoSteps = document.getElementById("undo-steps");
  const showUndo = () => {
    for (const button of undoSteps.querySelectorAll("[data-undo]"))
      button.disabled = !history.can(Number(button.dataset.undo));
  };

  // The questions that were others are as they were, and the first of them is gone to.
  const undo = (way, isByButton = false) => {
    const state = history.step(way);
    const { undone, redone, noneUndone, noneRedone } = undoSteps.dataset;
    if (!state) {
      refuse(way < 0 ? noneUndone : noneRedone);
      return;
    }
    const before = new Map(states().map(([id, given]) => [id, JSON.stringify(given)]));
    const others = state.filter(([id, given]) => before.get(id) !== JSON.stringify(given));
    const asked = others.map(([id]) => document.getElementById(id)).filter(Boolean);
    for (const [id, given] of others) {
      const question = document.getElementById(id);
      if (question) widget(question).restore(given);
    }
    onward.changed();
    if (asked.length && isByButton) {
      mark(questions.indexOf(asked[0]));
      asked[0].scrollIntoView({ block: "nearest" });
    } else if (asked.length) visit(questions.indexOf(asked[0]));
    refresh();
    saveDraft();
    showUndo();
    say(way < 0 ? undone : redone);
  };
  undoSteps.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-undo]");
    if (button) undo(Number(button.dataset.undo), true);
  });

  // What is typed into an answer is undone with the rest; other fields have an undo of their own.
  const undoKey = (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.isComposing;
    if (!isCommand) return false;
    // Where letters are not Latin, the key that has z on other keyboards.
    const key = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : { KeyZ: "z", KeyY: "y" }[event.code];
    if (!["z", "y"].includes(key) || document.querySelector("dialog[open]")) return false;
    if (isTyping(event.target) && !event.target.matches("#stage textarea")) return false;
    undo(key === "y" || event.shiftKey ? 1 : -1);
    event.preventDefault();
    return true;
  };

  // ---- Active time: gaps between signs of life, none longer than a minute, none while hidden
  let active = 0;
  let lastSign = document.hidden ? null : performance.now();
  const signOfLife = () => {
    const now = performance.now();
    if (lastSign !== null) active += Math.min(now - lastSign, IDLE_MS);
    lastSign = document.hidden ? null : now;
  };
  for (const event of ["pointermove", "pointerdown", "keydown", "wheel", "scroll", "touchmove", "timeupdate"]) {
    document.addEventListener(event, signOfLife, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) lastSign = performance.now();
    else signOfLife();
  });

  // ---- Keys ------------------------------------------------------------------------------
  const useKeys = document.getElementById("use-keys");
  useKeys.checked = !store((s) => s.getItem("mteval-no-keys"));
  const showKeys = () => document.body.classList.toggle("no-keys", !useKeys.checked);
  useKeys.addEventListener("change", () => {
    store((s) =>
      useKeys.checked ? s.removeItem("mteval-no-keys") : s.setItem("mteval-no-keys", "1"),
    );
    showKeys();
  });

  // Where one key is the whole answer, it goes on as well, if the annotator likes it so. Pressed
  // again before anybody could have read, it is a key that stuck or bounced.
  const BOUNCE_MS = 250;
  const decided = { key: null, at: 0 };
  const goesOn = () =>
    "goesOn" in document.body.dataset && questions.length === 1 && widget(questions[0]).decides;

  const decide = (key) => {
    Object.assign(decided, { key, at: performance.now() });
    form.requestSubmit();
  };

  // A digit that may be followed by another one waits for it: any other key, and a press, end that.
  let going = null;
  const wait = (asked, ms) => {
    goOnTo(current);
    going = setTimeout(() => questions[current] === asked && goOn(), ms);
  };
  for (const event of ["keydown", "pointerdown", "mteval:open"])
    document.addEventListener(event, () => clearTimeout(going), true);

  const goOn = () => {
    if (current + 1 < questions.length) goOnTo(current + 1);
    else (isTable() ? stage : go).focus({ preventScroll: true }); // the dock is always in sight
  };

  // Who takes a digit, or what stands for one: the open question, or the one after it.
  const taker = (key) =>
    questions[current + Number(Boolean(widget(questions[current]).yields?.(key)))];

  const choose = (key) => {
    if (key === decided.key && performance.now() - decided.at < BOUNCE_MS) return true;
    if (onward.isBusy() || !questions.length) return false;
    const asked = taker(key);
    if (!asked) return false;
    if (!widget(asked).choose(key)) {
      const why = widget(asked).why?.(key) ?? (asked.querySelector("[data-key]") && refusals.words.noAnswer);
      if (why) refuse(why);
      return Boolean(why);
    }
    mark(questions.indexOf(asked));
    changed();
    const { inWords, waits } = widget(asked);
    if (inWords) status.textContent = `${inWords()}. ${go.textContent}`;
    const ms = waits?.() ?? 0;
    if (ms) wait(asked, ms);
    else goOn();
    if (goesOn()) decide(key);
    return true;
  };

  // The first translation stands where lines begin: at the right in Arabic.
  const ARROWS =
    document.documentElement.dir === "rtl"
      ? { ArrowRight: "1", ArrowDown: "2", ArrowLeft: "3" }
      : { ArrowLeft: "1", ArrowDown: "2", ArrowRight: "3" };
  const arrows = (key) => stage.querySelector("[data-arrows]") && ARROWS[key];

  const follow = (link, why) => {
    const found = document.querySelector(link);
    if (found) found.click();
    else refuse(why);
  };
  const step = (way) => {
    const isThere = questions[current + way];
    visit(current + way);
    if (!isThere) refuse(way < 0 ? refusals.words.firstQuestion : refusals.words.lastQuestion);
  };
  const actions = {
    j: () => step(1),
    k: () => step(-1),
    p: () => follow("a[rel=prev]", refusals.words.noneBefore),
    Backspace: () => follow("a[rel=prev]", refusals.words.noneBefore),
    n: () => follow("a[rel=next]", refusals.words.noneAfter),
    s: () => panels.toggle("source"),
    r: () => panels.toggle("reference"),
    v: () => window.mtevalPanes.toggle(),
    y: () => window.mtevalComparison.toggle() || refuse(refusals.words.noTable),
    x: () => follow("a[data-dialog=note]", refusals.words.noNote),
    "*": () => window.mtevalStar?.toggle(),
    i: () => panels.openDialog("instructions"),
    "?": () => panels.openDialog("keys"),
  };

  const isTyping = (target) =>
    target.matches("textarea, select, [contenteditable]") ||
    (target.matches("input") && !["radio", "checkbox", "range"].includes(target.type));

  // Where no item is to be seen no script takes a key, neither this one nor that of a protocol.
  document.addEventListener("keydown", (event) => !rows.isPainted() && event.stopPropagation(), true);
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || undoKey(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(target)) return;
    const dialog = document.querySelector("dialog[open]");
    if (dialog) {
      if (key === "?" && dialog.id === "keys") dialog.close();
      return;
    }
    const takes = (question) => widget(question).key?.(event);
    const isTaken = () => takes(questions[current]) || (event.code === "Minus" && takes(taker(key)));
    if (useKeys.checked && questions.length && isTaken()) {
      event.preventDefault();
      return;
    }
    if (key === "Enter") {
      // Links, buttons and summaries have their own Enter.
      if (target.matches("a, button, summary")) return;
      event.preventDefault();
      if (!event.repeat) form.requestSubmit();
      return;
    }
    if (!useKeys.checked || event.repeat) return;
    if (/^[0-9]$/.test(key) ? choose(key) : arrows(key) && choose(arrows(key))) {
      event.preventDefault();
    } else if (actions[key]) {
      event.preventDefault();
      actions[key]();
    }
  });

  // ---- Start: the same for the row that the page came with and for every row that is opened -----
  const screen = { changed, say, refuse, words, newAct: history.cut };

  const enter = () => {
    stage = document.getElementById("stage");
    questions = [...stage.querySelectorAll("[data-question]")];
    made = new Map();
    for (const question of questions)
      made.set(question, widgets[question.dataset.widget || "radio"](question, screen));
    panels.showParts();
    const kept = restoreDraft();
    history.begin(states(), kept);
    showUndo();
    questions.forEach((question, index) => {
      for (const event of ["focusin", "pointerdown"]) // not every browser focuses what is clicked
        question.addEventListener(event, () => mark(index));
      question.addEventListener("change", changed);
    });
    const first = questions.findIndex(isOpen);
    mark(first < 0 ? 0 : first);
    document.getElementById("goes-on").hidden = !goesOn();
    decided.at = performance.now(); // however long this row took to come
    active = 0;
    onward.entered();
    refresh();
    stage.dispatchEvent(new CustomEvent("mteval:open", { bubbles: true }));
  };

  const leave = () => {
    onward.left();
    for (const each of made.values()) each.leave?.();
  };

  // The first question that keeps the answer from being sent is gone to; whether there is one.
  const holdsBack = () => {
    const wanting = missing();
    if (wanting.length > 0) {
      if (widget(wanting[0]).goOn?.()) return true;
      visit(questions.indexOf(wanting[0]));
      say(go.textContent);
      return true;
    }
    const doubted = questions.findIndex((question) => widget(question).doubt?.());
    if (doubted >= 0) visit(doubted);
    return doubted >= 0;
  };

  window.mtevalScreen = {
    enter,
    leave,
    holdsBack,
    answers,
    dropDraft,
    activeMs: () => {
      signOfLife();
      return active;
    },
    // Puts answers of this item back that waited or were refused; `onlyOpen`: into questions that
    // have none.
    restore: (kept, onlyOpen = false) => {
      restore(kept, onlyOpen ? isOpen : () => true);
      history.begin(states());
      showUndo();
      refresh();
    },
    // The question that is asked next in a part of the stage is marked; the focus stays where it is.
    markIn: (part) => {
      const inside = questions.filter((question) => part.contains(question));
      const asked = inside.find(isOpen) ?? inside[0];
      if (asked && !part.contains(questions[current])) mark(questions.indexOf(asked));
    },
    refuse,
    visitOpen: () => visit(Math.max(0, questions.findIndex(isOpen))),
    say: (text, isTrouble) => {
      if (isTrouble) trouble.textContent = text;
      else say(text);
    },
  };
  enter();
  showKeys();
  dropOldDrafts();
  rows.prepare();
})();
