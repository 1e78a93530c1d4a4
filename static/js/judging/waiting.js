// What an annotator sees of the answers that wait in this browser, on every page: how many, those
// that the site refused, each with the way back to its item, and why one could not be stored.
"use strict";
(() => {
  const queue = window.mtevalQueue;
  if (!queue) return;
  const panel = document.getElementById("waiting");
  const overlay = document.getElementById("refused");
  const list = panel.querySelector("[data-refused]");
  const template = panel.querySelector("template");
  // Where one judges, it is always in sight, as the button is.
  document.querySelector("form .dock")?.prepend(panel);

  const line = ({ id, title, action, refused }) => {
    const item = template.content.cloneNode(true).firstElementChild;
    item.querySelector("[data-name]").textContent = title.replace(/ · mteval$/, "");
    for (const why of item.querySelectorAll("[data-why]"))
      why.hidden = why.dataset.why !== refused;
    const link = item.querySelector("a");
    link.href = action;
    link.dataset.row = action.match(/(\d+)\/$/)?.[1] ?? "";
    link.hidden = refused === "not-yours";
    for (const button of item.querySelectorAll("button")) {
      button.dataset.id = id;
      button.dataset.number = link.dataset.row;
    }
    // The answers come back by themselves where nothing else is in their place.
    item.querySelector("[data-action=restore]").hidden =
      !["newer", "changed"].includes(refused) || !action.startsWith(document.getElementById("answer")?.dataset.base);
    return item;
  };

  const show = async () => {
    const answers = await queue.mine();
    const refused = answers.filter((answer) => answer.refused);
    const n = answers.length - refused.length;
    panel.hidden = answers.length === 0;
    if (answers.length === 0 && overlay.open) overlay.close();
    if (n === 0) window.mtevalOnward?.allSent();
    const text = panel.querySelector("[data-text]");
    const words = n === 1 ? panel.dataset.one : panel.dataset.many.replace("#", n);
    text.hidden = panel.querySelector("[data-action=retry]").hidden = n === 0;
    if (n && text.textContent !== words) text.textContent = words;
    const shown = refused.map(({ id, refused: why }) => `${id} ${why}`).join();
    if (list.dataset.shown === shown) return;
    list.dataset.shown = shown;
    list.replaceChildren(...refused.map(line));
  };

  const download = async () => {
    const answers = (await queue.mine()).map(({ title, action, at, refused, body }) => ({
      item: title,
      address: action,
      answered_at: new Date(at).toISOString(),
      refused: refused ?? null,
      answers: Object.fromEntries(new URLSearchParams(body)),
    }));
    const link = document.createElement("a");
    const file = new Blob([JSON.stringify(answers, null, 1)], { type: "application/json" });
    link.href = URL.createObjectURL(file);
    link.download = "mteval-answers.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // The overlay: why the site did not take an answer, to which item, and what can be done.
  const explain = (answer, outcome) => {
    const reason = outcome.reason ?? outcome.problem ?? outcome.kind;
    for (const part of overlay.querySelectorAll("[data-reason]"))
      part.hidden = part.dataset.reason !== reason;
    overlay.querySelector("[data-name]").textContent = answer?.title ?? "";
    overlay.dataset.problem = outcome.problem ?? "";
    const isFinal = Boolean(outcome.isFinal);
    overlay.querySelector("[data-action=retry]").hidden = isFinal;
    overlay.querySelector("[data-action=drop]").hidden = !isFinal;
    if (!overlay.open) overlay.showModal();
  };

  const actions = {
    retry: async () => {
      const outcomes = await queue.flush(true);
      // Where one judges, onward.js opens the overlay.
      if (!overlay.open && window.mtevalOnward) return;
      const left = (await queue.mine()).find(
        ({ id, refused }) => outcomes.has(id) && (overlay.open || !refused),
      );
      if (left) explain(left, outcomes.get(left.id));
      else overlay.close();
    },
    download,
    back: () => overlay.close(),
    drop: async () => {
      // Those that were refused for the reason that is shown, and no others.
      for (const { id, refused } of await queue.mine())
        if (refused && refused === overlay.dataset.problem) await queue.remove(id);
      overlay.close();
    },
    "drop-one": (button) => queue.remove(Number(button.dataset.id)),
  };
  for (const place of [panel, overlay]) {
    place.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-action]");
      if (button) actions[button.dataset.action]?.(button);
    });
  }
  queue.onChange(show);
  show();
  window.mtevalWaiting = { show, explain };
})();
