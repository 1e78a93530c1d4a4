// What comes next, fetched ahead: as many rows as fit into a budget of bytes, the nearest first and
// several in one request. Of a document that is not on the screen, the first row comes alone, with the
// list of all its rows.
"use strict";
(() => {
  const BUDGET = 2000000; // bytes of rows: a hundred and more of short segments
  const ROWS_AT_ONCE = 5; // in one request, as many as views.py answers,
  const LARGE = 100000; // and one where rows are larger than that
  const AT_ONCE = 1000000; // so many bytes come without a pause: a batch of segments
  const SOON = 3; // old rows are fetched again when one of them is among the next three,
  const NEAR = 10; // with those among the next ten
  const CALM_MS = 300; // what comes next is fetched when the screen has come to rest
  const GAP_MS = 4000; // between requests for what does not come at once
  const PATIENCE_MS = 20000;
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

  // Those of the rows that exist. asked: their numbers, or "list": one with the rows of its document.
  const fetchRows = async (number, asked) => {
    const response = await fetch(`${base}${number}/`, {
      headers: { "X-Rows": asked },
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // While the site is being started again it is as if it could not be reached.
    const isAnswer = ![502, 503, 504].includes(response.status);
    if (!response.ok) throw Object.assign(new Error("no row"), { isAnswer });
    const { rows } = await response.json();
    return Object.entries(rows).map(([key, text]) => rowOf(Number(key), text));
  };
  const fetchRow = async (number, withList) => {
    const [row] = await fetchRows(number, withList ? "list" : String(number));
    if (!row) throw Object.assign(new Error("no such row"), { isAnswer: true });
    return row;
  };

  // A row: the numbers in its list, and those of them that were judged or skipped.
  const rowOf = (number, text) => {
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
  const holdMedia = (coming) =>
    window.mtevalHeldMedia?.prepare(coming.map((number) => kept.get(number)?.text ?? ""));
  // Whether a row of a document that is not here comes with its list.
  const needsList = (number, hasLine) =>
    isWhole && !hasLine(number) && (!listed(number) || Boolean(kept.get(number)?.numbers));
  const isLacking = (number, hasLine) =>
    !kept.has(number) || (isWhole && !hasLine(number) && !listed(number));
  const gone = new Set(); // numbers that the site has no row of
  // The rows that come and fit into the budget, nearest first, and those of the next request.
  const planned = (rows) => {
    let size = 0;
    let nDone = 0; // only to be looked at again
    const most = [...kept.values()].some((row) => row.size > LARGE) ? 1 : ROWS_AT_ONCE;
    const furthest = Math.max(0, ...kept.keys());
    const coming = [];
    const lacking = [];
    for (const number of rows.coming()) {
      const row = kept.get(number);
      const place = coming.length;
      const isFull = lacking.length === most;
      if (isFull && number > furthest) break;
      if (gone.has(number) || (isFull && !row)) continue;
      const isMissing = isLacking(number, rows.hasLine);
      const isOverdue = !isMissing && isOld(row) && place < (lacking.length ? NEAR : SOON);
      if (!isFull && (isMissing || isOverdue))
        lacking.push({ number, isDue: place < SOON || size < AT_ONCE });
      coming.push(number);
      size += row?.size ?? 0;
      nDone += Number(Boolean(row?.isDone));
      if (size > BUDGET || nDone >= SOON) break;
    }
    return { coming, lacking };
  };
  // One request: the first row that lacks with those after it, or alone with its list. Returns
  // whether to go on: the site answered, and not with something else.
  const fetchSome = async (lacking, rows) => {
    const asked = [];
    for (const { number } of lacking) {
      const isAlone = needsList(number, rows.hasLine);
      if (asked.length && isAlone) break;
      asked.push(number);
      if (isAlone) break;
    }
    const withList = needsList(asked[0], rows.hasLine);
    let found;
    try {
      found = await fetchRows(asked[0], withList ? "list" : String(asked));
    } catch {
      return false;
    }
    // Meanwhile one of them may have been opened or answered: what came is older than that.
    const last = asked.at(-1);
    const stillComing = new Set();
    for (const number of rows.coming()) {
      if (number > last) break;
      stillComing.add(number);
    }
    for (const row of found) if (stillComing.has(row.number)) keep(row);
    for (const number of asked) {
      if (found.some((row) => row.number === number)) continue;
      gone.add(number);
      drop(number);
    }
    const [first] = asked;
    return gone.has(first) || !stillComing.has(first) || !isLacking(first, rows.hasLine);
  };
  let later = 0; // when rows that do not come at once may be fetched
  let underway = null; // the last request; there is one at a time
  // rows: `coming` (numbers, a generator), `hasLine` and `current` of the screen.
  const prepare = (rows) => {
    clearTimeout(timer);
    const mine = ++turn;
    const step = async () => {
      await begun;
      await underway;
      if (mine !== turn) return;
      const { coming, lacking } = planned(rows);
      if (lacking.length) {
        const wait = lacking[0].isDue ? 0 : later - Date.now();
        if (wait <= 0) {
          later = Date.now() + GAP_MS;
          underway = fetchSome(lacking, rows);
          if (!(await underway) || mine !== turn) return;
        }
        timer = setTimeout(step, Math.max(wait, 0));
      }
      for (const number of coming.slice(0, SOON)) {
        const row = kept.get(number);
        if (!row) break;
        pageOf(row);
        if (row.numbers) listOf(row);
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
