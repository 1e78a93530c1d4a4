// What comes next, fetched ahead: as many rows as fit into a budget of bytes, the nearest first. Of
// a document that is not on the screen, the first row comes with the list of all its rows.
"use strict";
(() => {
  const BUDGET = 2000000; // bytes of rows: a hundred and more of short segments
  const SOON = 3; // so many are fetched at once,
  const AT_ONCE = 1000000; // and on to so many bytes, a batch of segments, and to a document's end
  const CALM_MS = 300; // what comes next is fetched when the screen has come to rest
  const GAP_MS = 4000; // between all others
  const FRESH_MS = 600000;
  const form = document.getElementById("answer");
  if (!form) return;
  const held = window.mtevalHeld;
  const { base } = form.dataset;
  const kept = new Map(); // number → a row: number, text, size, at, isDone, numbers and done
  const isWhole = Boolean(document.getElementById("rows")); // whether documents are shown

  const parsed = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    // Parsed apart from the page, where scripts are off, their contents would be part of the form.
    for (const part of page.querySelectorAll("noscript")) part.remove();
    return page;
  };

  // A row that the site sends. withList: with the rows of its document. numbers: those in the list,
  // and done: those of them that were judged or skipped.
  const fetchRow = async (number, withList) => {
    const response = await fetch(`${base}${number}/`, {
      headers: { "X-Row": withList ? "list" : "1" },
      redirect: "manual",
    });
    // While the site is being started again it is as if it could not be reached.
    const isAnswer = ![502, 503, 504].includes(response.status);
    if (!response.ok) throw Object.assign(new Error("no row"), { isAnswer });
    const text = await response.text();
    const page = parsed(text);
    const { judged, skipped } = page.getElementById("stage").dataset;
    const lines = [...page.querySelectorAll("#rows > [data-number]")];
    const numberOf = (line) => Number(line.dataset.number);
    return {
      number,
      text,
      page,
      size: new Blob([text]).size,
      at: Date.now(),
      isDone: Boolean(judged || skipped),
      numbers: lines.length ? lines.map(numberOf) : null,
      done: lines.filter((line) => line.matches(".is-judged, .is-skipped")).map(numberOf),
    };
  };

  const keep = (row) => {
    kept.set(row.number, row);
    const { page, list, ...rest } = row;
    held?.keep(rest);
  };
  const drop = (number) => {
    kept.delete(number);
    held?.drop(number);
  };

  const isOld = (row) => Date.now() - row.at > FRESH_MS;
  const pageOf = (row) => (row.page ??= parsed(row.text));
  const listed = (number) => [...kept.values()].find((row) => row.numbers?.includes(number));
  // The list of the rows around a number, none of them open.
  const listOf = (row) => {
    if (row.list) return row.list;
    row.list = parsed(row.text).getElementById("rows");
    row.list.querySelector("#stage").remove();
    row.list.querySelector(".is-open").classList.remove("is-open");
    return row.list;
  };

  // ---- In the background ---------------------------------------------------------------------
  let timer = null;
  let turn = 0; // counts the calls: only the last one goes on
  const pruned = (coming, current) => {
    const isWanted = (number) => number === current || coming.includes(number);
    for (const [number, row] of kept)
      if (!isWanted(number) && !row.numbers?.some(isWanted)) drop(number);
  };
  const isLacking = (number, hasLine) => {
    const row = kept.get(number);
    return !row || isOld(row) || (isWhole && !hasLine(number) && !listed(number));
  };
  const holdMedia = (coming) =>
    window.mtevalHeldMedia?.prepare(coming.map((number) => kept.get(number)?.text ?? ""));
  // rows: `coming` (numbers, a generator), `hasLine` and `current` of the screen.
  const prepare = (rows) => {
    clearTimeout(timer);
    const mine = ++turn;
    const step = async () => {
      await begun;
      let size = 0;
      let place = 0;
      let nDone = 0; // only to be looked at again
      const coming = [];
      for (const number of rows.coming()) {
        coming.push(number);
        place += 1;
        if (isLacking(number, rows.hasLine)) {
          let withList;
          try {
            withList = isWhole && !rows.hasLine(number) && (!listed(number) || Boolean(kept.get(number)?.numbers));
            const row = await fetchRow(number, withList);
            // An opening may have begun before the fetch did: what is open is old when it is kept.
            if (mine !== turn) return;
            keep(row);
          } catch {
            return;
          }
          const isInside = isWhole && !withList; // a document whose list is here
          if (place >= SOON && !isInside && size + kept.get(number).size > AT_ONCE) {
            timer = setTimeout(step, GAP_MS);
            holdMedia(coming);
            return;
          }
        } else if (place <= SOON) {
          const row = kept.get(number);
          pageOf(row);
          if (row.numbers) listOf(row);
        }
        size += kept.get(number).size;
        nDone += Number(kept.get(number).isDone);
        if (size > BUDGET || nDone >= SOON) break;
      }
      pruned(coming, rows.current());
      holdMedia(coming);
    };
    timer = setTimeout(step, CALM_MS);
  };

  // What an earlier page left. What was done of it the site knows better, when it can be reached.
  const isOffline = "held" in document.body.dataset;
  const begun = (held?.rows() ?? Promise.resolve([])).then((found) => {
    for (const row of found)
      if (!kept.has(row.number) && (isOffline || !row.isDone)) kept.set(row.number, row);
  });

  window.mtevalAhead = {
    begun,
    isWhole,
    fetchRow,
    keep,
    drop,
    prepare,
    isOld,
    pageOf,
    listOf,
    listed,
    get: (number) => kept.get(number),
    setDone: (number, isDone) => {
      const row = kept.get(number);
      if (row) keep(Object.assign(row, { isDone }));
    },
    numbers: () => [...kept.keys()].sort((a, b) => a - b),
  };
})();
