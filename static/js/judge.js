// The judging screen: questions and their keys, active time, drafts, and what happens on the way from
// one item to the next. Everything also works without this file, by an ordinary form.
"use strict";
(() => {
  const IDLE_MS = 60000;
  const DRAFT_MS = 30 * 24 * 3600 * 1000;
  const form = document.getElementById("answer");
  const go = document.getElementById("go");
  const status = document.getElementById("status");
  const trouble = document.getElementById("trouble");
  const words = form.dataset;
  const queue = window.mtevalQueue;
  const rows = window.mtevalRows;
  const panels = window.mtevalPanels;
  let stage = null; // the open row
  let questions = [];
  let current = 0;
  let busy = false;
  let waiting = null; // the number of this row's answer in the queue, when it could not be sent

  // ---- Questions -------------------------------------------------------------------------
  // What a question looks like and how it is answered is its widget's business: one named by
  // data-widget, from a script of the protocol in `mtevalWidgets`, or one of these two. A widget is
  // made for its question whenever its row is opened, and may use `screen`; it has
  //   isAnswered()      whether it holds a complete answer
  //   focus()           puts the focus on its control
  //   answers()         [[field name, value], …] of what is there, to be kept as a draft
  //   restore(answers)  puts such a draft back
  //   choose(key)       answers by a digit or an arrow; whether that key means anything here
  //   isOpen()          whether work begins here, and a draft comes back, although nothing is
  //                     missing (optional)
  //   state()           what the button says where the score of this widget is the one answer that
  //                     is missing (optional)
  //   yields(key)       whether such a key answers the question after this one (optional)
  //   key(event)        any other key; whether it was for this widget (optional)
  //   doubt()           whether the annotator should look once more before a complete answer is
  //                     sent; it then shows why, and asks once about the same answer (optional)
  //   leave()           the row is closed: lets go of what is outside of the row (optional)
  const radio = (question) => ({
    isAnswered: () => question.querySelector(":checked") !== null,
    focus: () =>
      (question.querySelector(":checked") || question.querySelector("input")).focus({
        preventScroll: true,
      }),
    answers: () => [...question.querySelectorAll(":checked")].map(({ name, value }) => [name, value]),
    restore: (answers) => {
      for (const [name, value] of answers)
        for (const input of question.querySelectorAll("input"))
          input.checked ||= input.name === name && input.value === value;
    },
    choose: (key) => {
      const answer = question.querySelector(`[data-key="${key}"]`);
      if (answer) answer.checked = true;
      return Boolean(answer);
    },
  });

  const slider = (question, screen) => {
    const range = question.querySelector("[type=range]");
    const held = question.querySelector("input[type=hidden]");
    const set = (value) => {
      range.value = value;
      held.disabled = false;
      held.value = range.value;
      range.removeAttribute("aria-valuetext");
      question.classList.add("is-set");
    };
    range.hidden = false;
    if (held.disabled) range.setAttribute("aria-valuetext", range.dataset.unset);
    else question.classList.add("is-set");
    // A press in the middle of an untouched slider moves nothing, and still is an answer.
    for (const event of ["input", "change", "pointerup"]) {
      range.addEventListener(event, () => {
        set(range.value);
        screen.changed();
      });
    }
    for (const tick of question.querySelectorAll("[data-value]")) {
      tick.addEventListener("click", () => {
        set(tick.dataset.value);
        screen.changed();
      });
    }
    return {
      isAnswered: () => !held.disabled,
      focus: () => range.focus({ preventScroll: true }),
      answers: () => (held.disabled ? [] : [[held.name, held.value]]),
      restore: (answers) => answers.forEach(([, value]) => set(value)),
      // Without ticks the ten digits stand evenly on the scale: 0 at its low end, 9 at its high one.
      choose: (key) => {
        const ticks = question.querySelector(".ticks");
        const tick = ticks?.querySelector(`[data-key="${key}"]`);
        const [low, high] = [Number(range.min), Number(range.max)];
        const value = ticks ? tick?.dataset.value : low + ((high - low) * Number(key)) / 9;
        if (value !== undefined) set(value);
        return value !== undefined;
      },
      // The arrows move a slider before it has the focus, too; then it moves by itself.
      key: ({ key, target }) => {
        if (target === range || !["ArrowLeft", "ArrowRight"].includes(key)) return false;
        const isRightToLeft = getComputedStyle(range).direction === "rtl";
        if ((key === "ArrowRight") !== isRightToLeft) range.stepUp();
        else range.stepDown();
        set(range.value);
        range.focus({ preventScroll: true });
        question.scrollIntoView({ block: "nearest" });
        screen.changed();
        return true;
      },
    };
  };

  const widgets = { radio, slider, ...window.mtevalWidgets };
  let made = new Map();
  const widget = (question) => made.get(question);
  const isAnswered = (question) => widget(question).isAnswered();
  const isOpen = (question) => !isAnswered(question) || Boolean(widget(question).isOpen?.());
  const missing = () => questions.filter((question) => !isAnswered(question));

  const mark = (index) => {
    current = Math.max(0, Math.min(questions.length - 1, index));
    questions.forEach((question, i) => question.classList.toggle("is-current", i === current));
  };

  const visit = (index) => {
    mark(index);
    widget(questions[current]).focus();
    questions[current].scrollIntoView({ block: "nearest" });
  };

  const whatIsMissing = (n) => {
    if (n === 0) return words.complete;
    if (n > 1) return words.manyMissing.replace("#", n);
    return [...made.values()].map((each) => each.state?.()).find(Boolean) ?? words.oneMissing;
  };

  const refresh = () => {
    const n = missing().length;
    if (busy) return;
    go.textContent = whatIsMissing(n);
    go.classList.toggle("is-incomplete", n > 0);
  };

  const say = (text) => {
    status.textContent = text;
  };

  const changed = () => {
    if (waiting !== null && !busy) {
      queue.remove(waiting); // what waits is not what is meant any more
      waiting = null;
    }
    refresh();
    saveDraft();
    say(go.textContent);
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

  const saveDraft = () => {
    if (!stage.dataset.draft) return;
    const answers = questions.map((question) => [question.id, widget(question).answers()]);
    const draft = JSON.stringify({ at: Date.now(), answers });
    store((s) => s.setItem(PREFIX + stage.dataset.draft, draft));
  };

  const restoreDraft = () => {
    if (!stage.dataset.draft) return;
    const draft = JSON.parse(store((s) => s.getItem(PREFIX + stage.dataset.draft)) || "{}");
    for (const [id, answers] of draft.answers ?? []) {
      const question = document.getElementById(id);
      if (question && answers.length && isOpen(question)) widget(question).restore(answers);
    }
  };

  const dropDraft = (name) => store((s) => s.removeItem(PREFIX + name));

  const dropOldDrafts = () =>
    store((s) => {
      for (const name of Object.keys(s)) {
        if (!name.startsWith(PREFIX)) continue;
        if (!(JSON.parse(s.getItem(name)).at > Date.now() - DRAFT_MS)) s.removeItem(name);
      }
    });

  // ---- Active time: gaps between signs of life, none longer than a minute, none while hidden
  let active = 0;
  let lastSign = document.hidden ? null : performance.now();
  const signOfLife = () => {
    const now = performance.now();
    if (lastSign !== null) active += Math.min(now - lastSign, IDLE_MS);
    lastSign = document.hidden ? null : now;
  };
  for (const event of ["pointermove", "pointerdown", "keydown", "wheel", "scroll", "touchmove"]) {
    document.addEventListener(event, signOfLife, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) lastSign = performance.now();
    else signOfLife();
  });

  // ---- From one item to the next -----------------------------------------------------------
  const setBusy = (value) => {
    busy = value;
    go.setAttribute("aria-busy", value);
    if (value) go.textContent = words.saving;
  };

  const fail = (text) => {
    setBusy(false);
    trouble.textContent = text;
    go.textContent = words.again;
  };

  // The page that the server answers with says what is wrong; the answers come back in it.
  const sendPlainly = () => {
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
    if (token) form.elements.csrfmiddlewaretoken.value = token[1];
    HTMLFormElement.prototype.submit.call(form);
  };

  const goOn = async (next, summary, isStored = true) => {
    const number = rows.current();
    const heading = () => document.getElementById("heading").textContent;
    const said = isStored ? `${words.saved} ${heading()}` : words.offline;
    rows.answered(number, summary);
    // Numbers are below the base of the addresses; after the last item there is another page.
    const following = typeof next === "number" ? next : Number(next.slice(words.base.length, -1));
    if (!following) location.assign(next);
    else if (await rows.open(following)) say(`${said} ${heading()}`);
    else fail(words.unreachable);
  };

  const noteTime = () => {
    signOfLife();
    form.elements.active_ms.value = Math.round(active);
  };

  const send = async () => {
    setBusy(true);
    trouble.textContent = "";
    noteTime();
    const data = new FormData(form);
    data.delete("csrfmiddlewaretoken");
    const draft = stage.dataset.draft;
    const answer = {
      action: form.getAttribute("action"),
      title: document.title,
      number: rows.current(),
      draft,
      body: new URLSearchParams(data).toString(),
    };
    if (waiting !== null) answer.id = waiting;
    waiting = await queue.put(answer);
    const mine = waiting;
    const outcome = (await queue.flush()).get(mine) ?? { kind: "stored", next: null };
    if (outcome.kind === "stored") {
      dropDraft(draft);
      waiting = null;
      await goOn(outcome.next ?? words.base, outcome.summary);
      return;
    }
    if (outcome.kind === "refused" && !["not-open", "not-yours", "removed"].includes(outcome.problem)) {
      await queue.remove(mine);
      waiting = null;
      sendPlainly();
      return;
    }
    await queue.show();
    const ready = rows.ready();
    if (outcome.kind === "offline" && ready) {
      waiting = null; // the queue has it now
      await goOn(ready, "", false);
      return;
    }
    fail(outcome.kind === "offline" ? words.nothingAhead : words.failed);
    if (outcome.kind !== "offline") queue.explain(outcome);
  };

  // Answers that had to wait are sent at last: on this page, or left by one that was closed.
  // A screen that stores nothing has no queue.
  queue?.onOutcome((answer, outcome) => {
    const isFinal = outcome.kind === "refused" && !["not-open", "removed"].includes(outcome.problem);
    if (isFinal && answer.id !== waiting)
      queue.explain(outcome);
    if (outcome.kind !== "stored") return;
    dropDraft(answer.draft);
    if (answer.number !== rows.current() || answer.action !== form.getAttribute("action")) {
      if (answer.action.startsWith(words.base)) rows.summarize(answer.number, outcome.summary);
    } else if (!busy && (answer.id === waiting || !stage.dataset.judged)) {
      waiting = null;
      goOn(outcome.next, outcome.summary);
    }
  });

  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (busy) return;
    const wanting = missing();
    if (wanting.length > 0) {
      visit(questions.indexOf(wanting[0]));
      say(go.textContent);
      return;
    }
    const doubted = questions.findIndex((question) => widget(question).doubt?.());
    if (doubted >= 0) visit(doubted);
    else if ("practice" in words) {
      noteTime();
      sendPlainly();
    } else send();
  });

  // A page that comes back from the browser's memory is old: its answer may have been sent.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
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

  const choose = (key) => {
    if (!questions.length) return false;
    const asked = questions[current + Number(Boolean(widget(questions[current]).yields?.(key)))];
    if (!asked || !widget(asked).choose(key)) return false;
    mark(questions.indexOf(asked));
    changed();
    if (current + 1 < questions.length) visit(current + 1);
    else go.focus({ preventScroll: true }); // its dock is always in sight
    return true;
  };

  // The first translation stands where lines begin: at the right in Arabic.
  const ARROWS =
    document.documentElement.dir === "rtl"
      ? { ArrowRight: "1", ArrowDown: "2", ArrowLeft: "3" }
      : { ArrowLeft: "1", ArrowDown: "2", ArrowRight: "3" };
  const arrows = (key) => stage.querySelector("[data-arrows]") && ARROWS[key];

  const follow = (rel) => document.querySelector(`a[rel=${rel}]`)?.click();
  const actions = {
    j: () => visit(current + 1),
    k: () => visit(current - 1),
    p: () => follow("prev"),
    Backspace: () => follow("prev"),
    n: () => follow("next"),
    s: () => panels.toggle("source"),
    r: () => panels.toggle("reference"),
    x: () => document.querySelector("a[data-dialog=note]")?.click(),
    i: () => panels.openDialog("instructions"),
    "?": () => panels.openDialog("keys"),
  };

  const isTyping = (target) =>
    target.matches("textarea, select, [contenteditable]") ||
    (target.matches("input") && !["radio", "checkbox", "range"].includes(target.type));

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(target)) return;
    const dialog = document.querySelector("dialog[open]");
    if (dialog) {
      if (key === "?" && dialog.id === "keys") dialog.close();
      return;
    }
    if (useKeys.checked && questions.length && widget(questions[current]).key?.(event)) {
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
  const screen = { changed, say, words };

  const enter = () => {
    stage = document.getElementById("stage");
    questions = [...stage.querySelectorAll("[data-question]")];
    made = new Map();
    for (const question of questions)
      made.set(question, widgets[question.dataset.widget || "radio"](question, screen));
    panels.showParts();
    restoreDraft();
    questions.forEach((question, index) => {
      question.addEventListener("focusin", () => mark(index));
      question.addEventListener("change", changed);
    });
    const first = questions.findIndex(isOpen);
    mark(first < 0 ? 0 : first);
    setBusy(false);
    trouble.textContent = "";
    waiting = null;
    active = 0;
    refresh();
  };

  const leave = () => {
    for (const each of made.values()) each.leave?.();
  };

  window.mtevalScreen = {
    enter,
    leave,
    say: (text, isTrouble) => {
      (isTrouble ? trouble : status).textContent = text;
    },
  };
  enter();
  showKeys();
  dropOldDrafts();
  rows.prepare();
})();
