// The judging screen: keys, active time, drafts, and sending an answer so that none is lost.
// Everything also works without this file, by an ordinary form.
"use strict";
(() => {
  const IDLE_MS = 60000;
  const PATIENCE_MS = 20000;
  const form = document.getElementById("answer");
  const go = document.getElementById("go");
  const status = document.getElementById("status");
  const trouble = document.getElementById("trouble");
  const words = form.dataset;
  const questions = [...form.querySelectorAll("[data-question]")];
  let current = 0;
  let busy = false;

  // ---- Questions -------------------------------------------------------------------------
  // What a question looks like and how it is answered is its widget's business: one named by
  // data-widget, from a script of the protocol in `mtevalWidgets`, or one of these two. A widget is
  // made for its question, and may use `screen`; it has
  //   isAnswered()      whether it holds a complete answer
  //   focus()           puts the focus on its control
  //   answers()         [[field name, value], …] of what is there, to be kept as a draft
  //   restore(answers)  puts such a draft back
  //   choose(key)       answers by a digit or an arrow; whether that key means anything here
  //   key(event)        any other key; whether it was for this widget (optional)
  //   doubt()           whether the annotator should look once more before a complete answer is
  //                     sent; it then shows why, and asks once about the same answer (optional)
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
      choose: (key) => {
        const tick = question.querySelector(`[data-key="${key}"]`);
        if (tick) set(tick.dataset.value);
        return Boolean(tick);
      },
    };
  };

  const widgets = { radio, slider, ...window.mtevalWidgets };
  const made = new Map();
  const widget = (question) => made.get(question);
  const isAnswered = (question) => widget(question).isAnswered();
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

  const refresh = () => {
    const n = missing().length;
    if (busy) return;
    go.textContent =
      n === 0 ? words.complete : n === 1 ? words.oneMissing : words.manyMissing.replace("#", n);
    go.classList.toggle("is-incomplete", n > 0);
  };

  const say = (text) => {
    status.textContent = text;
  };

  const changed = () => {
    refresh();
    saveDraft();
    say(go.textContent);
  };

  // ---- Drafts: answers that were not sent yet survive a reload of this tab ----------------
  const draftName = words.draft && `mteval-draft-${words.draft}`;
  const store = (kind, action) => {
    try {
      return action(window[kind]);
    } catch {
      return null; // storage may be forbidden; everything else works without
    }
  };

  const saveDraft = () => {
    if (!draftName) return;
    const answers = questions.map((question) => [question.id, widget(question).answers()]);
    store("sessionStorage", (s) => s.setItem(draftName, JSON.stringify(answers)));
  };

  const restoreDraft = () => {
    if (!draftName) return;
    const drafts = JSON.parse(store("sessionStorage", (s) => s.getItem(draftName)) || "[]");
    for (const [id, answers] of drafts) {
      const question = document.getElementById(id);
      if (question && answers.length && !isAnswered(question)) widget(question).restore(answers);
    }
  };

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

  // ---- Sending ---------------------------------------------------------------------------
  const cookie = (name) =>
    document.cookie.split("; ").find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);

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
    const token = cookie("csrftoken");
    if (token) form.elements.csrfmiddlewaretoken.value = token;
    HTMLFormElement.prototype.submit.call(form);
  };

  const send = async () => {
    setBusy(true);
    trouble.textContent = "";
    signOfLife();
    form.elements.active_ms.value = Math.round(active);
    const body = new URLSearchParams(new FormData(form));
    const headers = { Accept: "application/json" };
    const token = cookie("csrftoken"); // a new sign-in in another tab has changed it
    if (token) {
      body.delete("csrfmiddlewaretoken");
      headers["X-CSRFToken"] = token;
    }
    let response;
    try {
      response = await fetch(form.getAttribute("action"), {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (response.ok) {
        const { next } = await response.json();
        if (draftName) store("sessionStorage", (s) => s.removeItem(draftName));
        store("sessionStorage", (s) => s.setItem("mteval-saved", "1"));
        location.assign(next);
        return;
      }
    } catch {
      fail(words.offline);
      return;
    }
    if (response.type === "opaqueredirect") fail(words.signedOut);
    else if (response.status === 400 || response.status === 409) sendPlainly();
    else fail(words.failed);
  };

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
    if (doubted < 0) send();
    else visit(doubted);
  });

  // A page that comes back from the browser's memory is old: its answer may have been sent.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  // ---- Instructions and keys at the side --------------------------------------------------
  const openDialog = async (name) => {
    const dialog = document.getElementById(name);
    const content = dialog.querySelector("[data-content]");
    dialog.showModal();
    if (!content || content.hasChildNodes()) return;
    const link = document.querySelector(`a[data-dialog=${name}]`);
    try {
      const page = await (await fetch(link.href)).text();
      const parsed = new DOMParser().parseFromString(page, "text/html");
      content.append(parsed.getElementById("instructions-text"));
    } catch {
      location.assign(link.href);
    }
  };
  for (const opener of document.querySelectorAll("[data-dialog]")) {
    opener.hidden = false;
    opener.addEventListener("click", (event) => {
      event.preventDefault();
      openDialog(opener.dataset.dialog);
    });
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  // ---- Source and reference: hidden or shown as the annotator left them --------------------
  const parts = [...document.querySelectorAll("details[data-part]")];
  for (const part of parts) {
    const name = `mteval-hide-${part.dataset.part}`;
    if (store("localStorage", (s) => s.getItem(name))) part.open = false;
    part.addEventListener("toggle", () => {
      store("localStorage", (s) => (part.open ? s.removeItem(name) : s.setItem(name, "1")));
    });
  }
  const toggle = (name) => {
    const part = parts.find((candidate) => candidate.dataset.part === name);
    if (part) part.open = !part.open;
  };

  // ---- Keys ------------------------------------------------------------------------------
  const useKeys = document.getElementById("use-keys");
  useKeys.checked = !store("localStorage", (s) => s.getItem("mteval-no-keys"));
  const showKeys = () => document.body.classList.toggle("no-keys", !useKeys.checked);
  useKeys.addEventListener("change", () => {
    store("localStorage", (s) =>
      useKeys.checked ? s.removeItem("mteval-no-keys") : s.setItem("mteval-no-keys", "1"),
    );
    showKeys();
  });

  const choose = (key) => {
    if (!questions.length || !widget(questions[current]).choose(key)) return false;
    changed();
    if (current + 1 < questions.length) visit(current + 1);
    else go.focus();
    return true;
  };

  const arrows = document.querySelector("[data-arrows]") && {
    ArrowLeft: "1",
    ArrowDown: "2",
    ArrowRight: "3",
  };

  const follow = (rel) => document.querySelector(`a[rel=${rel}]`)?.click();
  const actions = {
    j: () => visit(current + 1),
    k: () => visit(current - 1),
    p: () => follow("prev"),
    Backspace: () => follow("prev"),
    n: () => follow("next"),
    s: () => toggle("source"),
    r: () => toggle("reference"),
    i: () => openDialog("instructions"),
    "?": () => openDialog("keys"),
  };

  const isTyping = (target) =>
    target.matches("textarea, select, [contenteditable]") ||
    (target.matches("input") && !["radio", "checkbox", "range"].includes(target.type));

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(target) || document.querySelector("dialog[open]")) return;
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
    if (/^[0-9]$/.test(key) ? choose(key) : arrows && arrows[key] && choose(arrows[key])) {
      event.preventDefault();
    } else if (actions[key]) {
      event.preventDefault();
      actions[key]();
    }
  });

  // ---- Start -----------------------------------------------------------------------------
  const screen = { changed, say, words };
  for (const question of questions) {
    made.set(question, widgets[question.dataset.widget || "radio"](question, screen));
  }
  restoreDraft();
  questions.forEach((question, index) => {
    question.addEventListener("focusin", () => mark(index));
    question.addEventListener("change", changed);
  });
  const first = questions.findIndex((question) => !isAnswered(question));
  mark(first < 0 ? 0 : first);
  showKeys();
  refresh();
  if (store("sessionStorage", (s) => s.getItem("mteval-saved"))) {
    store("sessionStorage", (s) => s.removeItem("mteval-saved"));
    say(`${words.saved} ${document.querySelector("h1").textContent}`);
  }
})();
