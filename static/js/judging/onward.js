// From one item to the next. An answer is kept in this browser first; when the next item is here,
// that one is shown while the answer is written, and "saved" is said when it is. It is sent behind.
// What cannot be written brings its item back; of what the site then refuses a line names the item,
// and leads to it with the answers as they were given.
"use strict";
(() => {
  const form = document.getElementById("answer");
  const go = document.getElementById("go");
  const trouble = document.getElementById("trouble");
  const status = document.getElementById("status");
  const words = form.dataset;
  const queue = window.mtevalQueue;
  const rows = window.mtevalRows;
  const screen = () => window.mtevalScreen;
  const stage = () => document.getElementById("stage");
  const action = () => form.getAttribute("action");
  let busy = false;
  let waiting = null; // the number of this row's answer in the queue, when it could not be sent
  let isChanged = false; // what is on the screen, since it was kept or opened
  let wasOffline = false;
  const explained = new Set(); // nobody reads the same explanation twice for one attempt

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

  const noteTime = () => {
    form.elements.active_ms.value = Math.round(screen().activeMs());
  };

  const heading = () => document.getElementById("heading").textContent;

  const goOn = async (next, summary, isOffline = false, isSafe = true) => {
    const said = isOffline ? words.offline : `${words.saved} ${heading()}`;
    rows.answered(rows.current(), summary, isSafe);
    // Numbers are below the base of the addresses; after the last item there is another page.
    const following = typeof next === "number" ? next : Number(next.slice(words.base.length, -1));
    if (!following) location.assign(next);
    else if (!(await rows.open(following))) fail(words.unreachable);
    else if (await isSafe) screen().say(`${said} ${heading()}`);
  };

  // The next item is shown before the answer is safe, as the disk takes its time. If this browser
  // cannot keep it, the item is open again.
  const goAhead = async (next, answer, written) => {
    const isSafe = written.then(() => true, () => false);
    waiting = null; // the queue has it
    try {
      await goOn(next, "", wasOffline, isSafe);
      if (await isSafe) return;
      rows.unanswered(answer.number);
      if (await rows.open(answer.number)) screen().restore(answer.answers);
      fail(words.failed);
    } finally {
      queue.flush();
    }
  };

  const send = async () => {
    setBusy(true);
    trouble.textContent = "";
    noteTime();
    const data = new FormData(form);
    data.delete("csrfmiddlewaretoken");
    const { draft } = stage().dataset;
    const answer = {
      action: action(),
      title: document.title,
      number: rows.current(),
      isNew: !stage().dataset.judged, // the site does not count it yet
      draft,
      answers: screen().answers(),
      body: new URLSearchParams(data).toString(),
    };
    if (waiting !== null) answer.id = waiting;
    const next = rows.next();
    const written = queue.put(answer);
    isChanged = false;
    explained.clear();
    if (next) {
      queue.release(waiting);
      await goAhead(next, answer, written);
      return;
    }
    try {
      waiting = await written;
    } catch {
      fail(words.failed);
      return;
    }
    const mine = waiting;
    queue.release(mine);
    const outcome = (await queue.flush()).get(mine) ?? { kind: "stored", next: null };
    if (outcome.kind === "stored") {
      screen().dropDraft(draft);
      waiting = null;
      await goOn(outcome.next ?? words.base, outcome.summary);
      return;
    }
    if (outcome.isFinal && !["not-yours", "newer"].includes(outcome.problem)) {
      await queue.remove(mine);
      waiting = null;
      sendPlainly();
      return;
    }
    const ready = rows.ready();
    if (outcome.kind === "offline" && ready) {
      waiting = null;
      await goOn(ready, "", true);
      return;
    }
    fail(outcome.kind === "offline" ? words.nothingAhead : words.failed);
  };

  // What became of an answer: of this item, of one that was left behind, or of one that an earlier
  // page left. A screen that stores nothing has no queue.
  const explain = (answer, outcome) => {
    wasOffline = outcome.kind === "offline";
    const isHere = answer.action === action();
    if (outcome.kind === "stored" && isHere && isChanged) {
      waiting = null; // it was on its way when it was changed: what is here now is another answer
      return;
    }
    if (outcome.kind === "stored") {
      screen().dropDraft(answer.draft);
      if (answer.action.startsWith(words.base)) next = outcome.next;
      if (!isHere || !rows.isPainted()) {
        if (answer.action.startsWith(words.base)) rows.summarize(answer.number, outcome.summary);
      } else if (!busy && (answer.id === waiting || !stage().dataset.judged)) {
        waiting = null;
        goOnWhenSent(outcome.summary);
      }
      return;
    }
    if (wasOffline) {
      if (!busy) screen().say(words.offline);
      return;
    }
    // A line tells of answers that need the annotator; the overlay of what keeps all from going on.
    if (outcome.isFinal && outcome.problem !== "not-yours") {
      if (answer.id === waiting && outcome.problem === "changed") readAgain(answer.number);
      else if (answer.id === waiting) screen().say(words.failed, true);
      else if (outcome.problem !== "newer" && answer.action.startsWith(words.base))
        rows.unanswered(answer.number, ["changed", "stale"].includes(outcome.problem));
      return;
    }
    const reason = `${answer.id} ${outcome.problem ?? outcome.kind}`;
    if (!explained.has(reason)) window.mtevalWaiting.explain(answer, outcome);
    explained.add(reason);
  };
  queue?.onOutcome(explain);

  // The item's texts are others than those that were answered: they are shown, and none of the
  // answer is filled in.
  const readAgain = (number) => {
    screen().dropDraft(stage().dataset.draft);
    rows.unanswered(number, true);
    rows.open(number, false);
  };

  // Others may wait behind the answer to this item: where the work goes on the site knows when it
  // has them all.
  let next = null; // after the answer that was stored last
  const goOnWhenSent = async (summary) => {
    const here = action();
    await queue.flush();
    if (!busy && here === action() && waiting === null && !isChanged) goOn(next, summary);
  };

  // Nothing waits any more: that the site could not be reached is not true any more either.
  const allSent = () => {
    wasOffline = false;
    if (busy) return;
    if (status.textContent.startsWith(words.offline)) screen().say(words.saved);
    if ([words.nothingAhead, words.unreachable].includes(trouble.textContent))
      trouble.textContent = "";
  };

  // An answer to this item that waits or was refused comes back into its questions. Where another
  // device has judged the item meanwhile, or its texts have changed, only when the annotator wants it.
  let wanted = null;
  const bringBack = async () => {
    const here = action();
    const found = (await queue.mine()).findLast((answer) => answer.action === here);
    if (!found || here !== action() || busy || waiting !== null) return;
    waiting = found.id;
    // What was changed meanwhile stays, and is meant instead of what waits.
    if (isChanged) queue.hold(waiting);
    if (["newer", "changed"].includes(found.refused) && wanted !== found.id) return;
    screen().restore(found.answers ?? [], isChanged);
    wanted = null;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-action=restore]");
    if (!button || !queue) return;
    wanted = Number(button.dataset.id);
    waiting = null;
    rows.open(Number(button.dataset.number));
  });

  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (busy || !rows.isPainted() || screen().holdsBack()) return;
    if (!queue || "practice" in words) {
      noteTime();
      sendPlainly();
    } else send();
  });

  // A page that comes back from the browser's memory is old: its answer may have been sent.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  window.mtevalOnward = {
    isBusy: () => busy,
    allSent,
    // What waits is not what is meant any more: it stays here until it is submitted again.
    changed: () => {
      if (busy) return;
      isChanged = true;
      if (waiting !== null) queue.hold(waiting);
    },
    // A row was opened, or is about to be closed.
    entered: () => {
      setBusy(false);
      trouble.textContent = "";
      waiting = null;
      isChanged = false;
      // A widget that fills itself in says so a moment later; that is no change by the annotator.
      queueMicrotask(() => (isChanged = false));
      if (queue && !("practice" in words)) bringBack();
    },
    left: () => {
      if (waiting === null || busy) return;
      queue.release(waiting);
      waiting = null;
      queue.flush();
    },
  };
})();
