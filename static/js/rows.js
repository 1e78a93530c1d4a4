// The rows of the judging screen: opens another item without loading a page, and keeps the next
// ones ready, so that work goes on at once and also while the site cannot be reached.
"use strict";
(() => {
  const AHEAD = 3;
  const CALM_MS = 300; // what comes next is fetched when the screen has come to rest
  const FRESH_MS = 600000;
  const form = document.getElementById("answer");
  if (!form) return;
  const { base } = form.dataset;
  const list = document.getElementById("rows");
  const numbers = new Intl.NumberFormat(document.documentElement.lang, { numberingSystem: "latn" });
  const kept = new Map(); // number → what was fetched ahead
  const stage = () => document.getElementById("stage");
  const current = () => Number(stage().dataset.number);
  const line = (number) => list?.querySelector(`[data-number="${number}"]`);
  const isHere = (number) =>
    "practice" in form.dataset
      ? false
      : list
      ? Boolean(line(number))
      : number >= 1 && number <= document.getElementById("progress").max;
  const address = (number) => `${base}${number}/`;
  let judged = document.getElementById("progress").value;
  let wanted = 0; // counts the openings: only the last one is carried out

  const fetchRow = async (number) => {
    const response = await fetch(address(number), {
      headers: { "X-Row": "1" },
      redirect: "manual",
    });
    // While the site is being started again it is as if it could not be reached.
    const isAnswer = ![502, 503, 504].includes(response.status);
    if (!response.ok) throw Object.assign(new Error("no row"), { isAnswer });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Parsed apart from the page, where scripts are off, their contents would be part of the form.
    for (const part of page.querySelectorAll("noscript")) part.remove();
    return { page, at: performance.now() };
  };

  // ---- One row at a time -------------------------------------------------------------------
  const fold = () => {
    const row = stage().closest(".row");
    if (row) row.classList.remove("is-open");
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

  const show = (number, { page, at }) => {
    window.mtevalScreen.leave();
    const place = list ? line(number) : stage().parentNode;
    const before = list ? null : stage().nextSibling;
    fold();
    place.insertBefore(document.adoptNode(page.getElementById("stage")), before);
    if (list) place.classList.add("is-open");
    setProgress(page);
    document.title = page.title;
    document.getElementById("heading").textContent = page.title.split(" · ")[0];
    for (const summary of form.querySelectorAll(".error-summary")) summary.remove();
    form.action = stage().dataset.action;
    form.elements.waited_ms.value = Math.round(performance.now() - at);
    kept.delete(number);
  };

  const bringIntoView = () => {
    stage().focus({ preventScroll: true });
    if (!list) window.scrollTo(0, 0);
    else (stage().closest(".row").previousElementSibling ?? list).scrollIntoView();
  };

  // Opens an item of this screen; any other gets a page of its own. `isNew`: a step forward in the
  // browser's history rather than one through it. False when the site cannot be reached.
  const open = async (number, isNew = true) => {
    if (!isHere(number)) {
      location.assign(address(number));
      return true;
    }
    const turn = ++wanted;
    let row = kept.get(number);
    if (row && performance.now() - row.at > FRESH_MS) row = null;
    try {
      row ??= await fetchRow(number);
    } catch (error) {
      if (error.isAnswer) location.assign(address(number));
      return Boolean(error.isAnswer);
    }
    if (turn !== wanted) return true;
    show(number, row);
    if (isNew) history.pushState(null, "", address(number));
    window.mtevalScreen.enter();
    bringIntoView();
    prepare();
    return true;
  };

  // ---- What comes next, fetched ahead ------------------------------------------------------
  let timer = null;
  const isDone = (number) => {
    const row = line(number);
    return row
      ? row.matches(".is-judged, .is-skipped")
      : Boolean(kept.get(number)?.page.getElementById("stage").dataset.judged);
  };
  const coming = () => {
    const found = [];
    for (let number = current() + 1; isHere(number) && found.length < AHEAD; number += 1)
      if (!list || !isDone(number)) found.push(number);
    return found;
  };
  const prepare = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const turn = wanted;
      const next = coming();
      for (const number of kept.keys()) if (!next.includes(number)) kept.delete(number);
      for (const number of next) {
        if (kept.has(number)) continue;
        try {
          const row = await fetchRow(number);
          // An opening may have begun before the fetch did: what is open is old when it is kept.
          if (turn !== wanted || !coming().includes(number)) return;
          kept.set(number, row);
        } catch {
          return;
        }
      }
    }, CALM_MS);
  };

  window.mtevalRows = {
    open,
    prepare,
    current,
    // The next item that can be opened without the site; undefined when there is none.
    ready: () => coming().find((number) => kept.has(number) && !isDone(number)),
    nReady: () => kept.size,
    // An item was answered: its line says so, and the count goes up when it is the first time.
    answered: (number, summary) => {
      const row = line(number);
      const isNew = row ? !row.matches(".is-judged") : !stage().dataset.judged;
      if (row) {
        row.classList.remove("is-skipped");
        row.classList.add("is-judged");
        row.querySelector(".row-state").textContent = `✓ ${summary || form.dataset.done}`;
      }
      kept.delete(number);
      if (isNew) judged += 1;
    },
    // Only the line, for an answer that was sent later.
    summarize: (number, summary) => {
      const row = line(number);
      if (row && summary) row.querySelector(".row-state").textContent = `✓ ${summary}`;
    },
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-row]");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const number = Number(link.dataset.row);
    if (!isHere(number)) return;
    event.preventDefault();
    open(number).then((done) => {
      if (!done) window.mtevalScreen.say(form.dataset.unreachable, true);
    });
  });

  window.addEventListener("popstate", () => {
    const number = Number(location.pathname.slice(base.length, -1));
    if (Number.isInteger(number) && isHere(number)) open(number, false);
    else location.reload();
  });
})();
