// The rows of the judging screen: opens another item without loading a page, of this document or of
// another, from what was fetched ahead (ahead.js) or from the site.
"use strict";
(() => {
  const form = document.getElementById("answer");
  if (!form) return;
  const ahead = window.mtevalAhead;
  const held = window.mtevalHeld;
  const queue = window.mtevalQueue;
  const { base } = form.dataset;
  const numbers = new Intl.NumberFormat(document.documentElement.lang, { numberingSystem: "latn" });
  const list = () => document.getElementById("rows");
  const stage = () => document.getElementById("stage");
  const current = () => Number(stage().dataset.number);
  const line = (number) => list()?.querySelector(`[data-number="${number}"]`);
  const last = () => document.getElementById("progress").max;
  const isHere = (number) => !("practice" in form.dataset) && number >= 1 && number <= last();
  const address = (number) => `${base}${number}/`;
  const BACK_MS = 20000;
  const isOffline = "held" in document.body.dataset; // the worker handed the page out
  let isChosen = !isOffline; // whether the item on the screen is the one that is to be judged
  const marks = new Map(); // number → summary, of what was answered since it was fetched
  const counted = new Set(); // the numbers by which `judged` is ahead of the page
  let judged = document.getElementById("progress").value;
  let wanted = 0; // counts the openings: only the last one is carried out
  let path = location.pathname; // of what is shown

  // ---- One row at a time -------------------------------------------------------------------
  const fold = () => {
    stage().closest(".row")?.classList.remove("is-open");
    stage().remove();
  };

  const setProgress = (page) => {
    for (const id of ["progress", "pace", "steps"])
      document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
    judged = Math.max(judged, document.getElementById("progress").value);
    showJudged();
  };

  // Fetched ahead, the count is behind.
  const showJudged = () => {
    const progress = document.getElementById("progress");
    progress.value = judged;
    document.querySelector("#pace strong").textContent = form.dataset.counts
      .replace("##", numbers.format(progress.max))
      .replace("#", numbers.format(judged));
  };

  const setLine = (number, summary) => {
    const row = line(number);
    if (!row) return;
    row.classList.remove("is-skipped");
    row.classList.add("is-judged");
    row.querySelector(".row-state").textContent = `✓ ${summary || form.dataset.done}`;
  };

  // Where documents are shown: another one takes the place of this one.
  const turnTo = (number) => {
    const row = ahead.listed(number);
    list().replaceWith(document.adoptNode(ahead.listOf(row)));
    row.list = null; // it is in the page now
    for (const [each, summary] of marks) setLine(each, summary);
  };

  const show = (number, row) => {
    window.mtevalScreen.leave();
    const opened = ahead.pageOf(row);
    row.page = null;
    const place = list() ? null : stage().parentNode;
    const before = list() ? null : stage().nextSibling;
    fold();
    if (list() && !line(number)) turnTo(number);
    (place ?? line(number)).insertBefore(
      document.adoptNode(opened.getElementById("stage")),
      before,
    );
    line(number)?.classList.add("is-open");
    setProgress(opened);
    document.title = opened.title;
    document.getElementById("heading").textContent = opened.title.split(" · ")[0];
    for (const summary of form.querySelectorAll(".error-summary")) summary.remove();
    form.action = stage().dataset.action;
    form.elements.waited_ms.value = Math.max(0, Date.now() - row.at);
  };

  const bringIntoView = () => {
    stage().focus({ preventScroll: true });
    if (!list()) window.scrollTo(0, 0);
    else (stage().closest(".row").previousElementSibling ?? list()).scrollIntoView();
  };

  const hasList = (number) => !list() || Boolean(line(number) ?? ahead.listed(number));

  // Answers of this work that are still to be sent.
  const waiting = async () =>
    ((await queue?.mine()) ?? []).filter(
      ({ action, refused, number }) => !refused && action === address(number),
    );

  // What was fetched ahead, or else what the site sends. Of an item that was answered an old row
  // may not say what was answered; of one that waits it is good as long as it is held.
  const rowFor = async (number) => {
    const row = ahead.get(number);
    if (row && hasList(number) && !marks.has(number) && !(row.isDone && ahead.isOld(row))) return row;
    const waits = (await waiting()).some((answer) => answer.number === number);
    if (waits) await queue.flush(); // what comes then is as the answer left it
    const fetched = await ahead.fetchRow(number, Boolean(list()) && !line(number));
    ahead.keep(fetched);
    return fetched;
  };

  // Opens an item of this work; any other gets a page of its own. `isNew`: a step forward in the
  // browser's history rather than one through it. False when the site cannot be reached.
  const open = async (number, isNew = true) => {
    if (!isHere(number)) {
      location.assign(address(number));
      return true;
    }
    const turn = ++wanted;
    let row;
    try {
      row = await rowFor(number);
    } catch (error) {
      if (error.isAnswer) location.assign(address(number));
      return Boolean(error.isAnswer);
    }
    if (turn !== wanted) return true;
    show(number, row);
    choose();
    if (isNew) history.pushState(null, "", address(number));
    path = location.pathname;
    window.mtevalScreen.enter();
    bringIntoView();
    prepare();
    return true;
  };

  // From now on the item on the screen is the one that is judged.
  const choose = () => {
    isChosen = true;
    stage().inert = false;
    document.getElementById("go").hidden = false;
    document.getElementById("nothing-held").hidden = true;
  };

  // ---- What comes next ------------------------------------------------------------------------
  const isSeenDone = (number) => {
    if (marks.has(number)) return true;
    const row = line(number);
    if (row) return row.matches(".is-judged, .is-skipped");
    return Boolean(ahead.listed(number)?.done.includes(number));
  };
  const isDone = (number) => isSeenDone(number) || Boolean(ahead.get(number)?.isDone);
  const coming = function* () {
    for (let number = current() + 1; isHere(number); number += 1)
      if (!isSeenDone(number)) yield number;
  };
  const prepare = () => ahead.prepare({ coming, hasLine: (number) => Boolean(line(number)), current });
  const isReady = (number) => Boolean(ahead.get(number)) && hasList(number) && !isDone(number);

  window.mtevalRows = {
    // Whether the item that is due is on the screen: only then there are keys, and an answer.
    isPainted: () => isChosen && stage().getClientRects().length > 0,
    open,
    prepare,
    current,
    // The item that follows in this batch, when it can be opened at once.
    next: () => {
      for (const number of coming()) {
        if (number > Number(stage().dataset.end)) return undefined;
        if (!isDone(number)) return isReady(number) ? number : undefined;
      }
      return undefined;
    },
    // The next item that can be opened without the site; undefined when there is none.
    ready: () => ahead.numbers().find((number) => number > current() && isReady(number)),
    nReady: () => ahead.numbers().filter((number) => number !== current() && isReady(number)).length,
    // An item was answered: its line says so, and the count goes up when it is the first time.
    // isSafe: whether the answer is kept, or a promise of that; only then it counts without the site.
    answered: (number, summary, isSafe) => {
      const row = line(number);
      const isNew = row ? !row.matches(".is-judged") : !stage().dataset.judged;
      setLine(number, summary);
      if (isNew && !marks.has(number)) {
        judged += 1;
        counted.add(number);
      }
      marks.set(number, summary);
      const count = judged;
      Promise.resolve(isSafe).then((is) => is && held?.mark(number, summary, count));
      ahead.setDone(number, true);
    },
    // The site did not take it: the item waits again, and is fetched anew if its texts are others.
    unanswered: (number, isChanged = false) => {
      marks.delete(number);
      held?.unmark(number);
      if (counted.delete(number)) {
        judged -= 1;
        showJudged();
      }
      if (isChanged) ahead.drop(number);
      else ahead.setDone(number, false);
      const row = line(number);
      row?.classList.remove("is-judged");
      if (row) row.querySelector(".row-state").textContent = "";
    },
    // Only the line, for an answer that was sent later.
    summarize: (number, summary) => {
      if (!summary) return;
      marks.set(number, summary);
      held?.mark(number, summary, judged);
      setLine(number, summary);
    },
  };

  // Whether the worker keeps this page for the time without a connection: not one that answers a
  // form, nor one that was loaded past it.
  const isKept =
    Boolean(navigator.serviceWorker?.controller) && !document.querySelector(".error-summary");

  // Answers that wait are given: their items are not due again, and count as judged.
  const started = ahead.begun.then(async () => {
    for (const mark of (await held?.marks()) ?? []) {
      if (isOffline) {
        marks.set(mark.number, mark.summary);
        judged = Math.max(judged, mark.judged);
      } else if (isKept) held.unmark(mark.number); // the page is new and says it itself
    }
    for (const { number, isNew } of await waiting()) {
      if (marks.has(number)) continue;
      if (isNew && judged < last()) {
        judged += 1;
        counted.add(number);
      }
      marks.set(number, "");
      held?.mark(number, "", judged);
    }
    for (const [number, summary] of marks) setLine(number, summary);
    showJudged();
  });

  // The page is an old one, handed out by the worker because the site could not be reached: the item
  // of the address, or the next one that waits, is opened from what is held. The page's own item is
  // there too, though it was not fetched ahead.
  const openHeld = async () => {
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
    await started;
    const asked = Number(location.pathname.slice(base.length, -1)) || 0;
    const { judged: isJudged, skipped: isSkipped } = stage().dataset;
    const isOwn =
      !marks.has(current()) &&
      (asked === current() || !(isDone(current()) || isJudged || isSkipped));
    const waits = [...ahead.numbers().filter(isReady), ...(isOwn ? [current()] : [])];
    waits.sort((a, b) => a - b);
    const number = waits.includes(asked) ? asked : waits.find((each) => each > asked) ?? waits[0];
    if (!number) {
      showNothing();
      return;
    }
    history.replaceState(null, "", address(number));
    path = location.pathname;
    if (number !== current()) await open(number, false);
    choose();
  };
  // Nothing can be judged here, and nothing that sends a form finds an answer.
  const showNothing = () => {
    document.getElementById("nothing-held").hidden = false;
    stage().hidden = document.getElementById("go").hidden = true;
    stage().querySelector("[name=ticket]").disabled = true;
    window.addEventListener("online", goBack);
    setInterval(goBackWhenReached, BACK_MS);
    queue?.onOutcome((_answer, { kind }) => kind === "stored" && goBack());
  };
  // What waits is sent first: only then does the site know where the annotator was.
  const goBack = async () => {
    if (isChosen) return; // an item was opened meanwhile
    await queue?.flush(true);
    if (!(await waiting()).length) location.replace(base);
  };
  // The connection may have been there all the time, and the site away.
  const goBackWhenReached = async () => {
    try {
      const { status } = await fetch(base, { method: "HEAD", redirect: "manual" });
      if (status < 500) await goBack();
    } catch {
      // at the next look
    }
  };
  if (isOffline) {
    stage().inert = true;
    openHeld();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-row]");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const number = Number(link.dataset.row);
    if (!isHere(number) || link.pathname !== address(number)) return;
    event.preventDefault();
    open(number).then((done) => {
      if (!done) window.mtevalScreen.say(form.dataset.unreachable, true);
    });
  });

  window.addEventListener("popstate", () => {
    if (location.pathname === path) return; // to a place of this page, as the link that skips does
    const number = Number(location.pathname.slice(base.length, -1));
    if (!Number.isInteger(number) || !isHere(number)) {
      location.reload();
      return;
    }
    open(number, false).then((done) => {
      if (done) return;
      history.pushState(null, "", path); // the address of what is shown
      window.mtevalScreen.say(form.dataset.unreachable, true);
    });
  });
})();
