// Translations compared in a table: one column each, their sentences as rows beside those of the
// source, the answers in a strip that stays in sight. On a small screen one row is shown at a time,
// and the translations lie beside each other, to be swiped. The page's own elements are arranged
// anew and put back again; nothing is sent that would not be sent without it.
"use strict";
(() => {
  const MOST = 5; // translations: more columns are too narrow
  const FEWEST_ROWS = 3;
  const LONG = 600; // characters of the longest translation: from here on the table comes by itself
  const body = document.body;
  const form = document.getElementById("answer");
  const button = document.getElementById("comparison");
  // What the site does not know yet; of a trial, what holds in this tab.
  const { owner } = body.dataset;
  const KEPT = `mteval-compared-texts-${owner ?? "trial"}`;
  const isPossible =
    CSS.supports("grid-template-rows", "subgrid") && CSS.supports("selector(::details-content)");
  const isWide = matchMedia("(min-width: 64rem)");
  const { textOf } = window.mtevalTexts;
  const { pairs } = window.mtevalPairs;
  let stage = null;
  let found = null; // what can be compared on this stage: {container, outputs, given, texts, rows}
  let isShown = false;
  let current = 0; // row

  const store = (action) => {
    try {
      return action(owner ? localStorage : sessionStorage);
    } catch {
      return null; // storage may be forbidden
    }
  };

  // ---- Rows ----------------------------------------------------------------------------------
  // Where stretches of the first text end, each with the end of what lies opposite. A sentence of
  // the other text that has no counterpart goes with the one before; what the other text leaves out
  // ends wherever a sentence does.
  const endsOf = (base, other) => {
    const begins = window.mtevalTexts.sentences(base);
    const ends = new Map();
    for (const [from, to, otherFrom, otherTo] of pairs(base, other)) {
      const isLeftOut = otherFrom === otherTo;
      const inside = isLeftOut ? begins.filter((begin) => from < begin && begin < to) : [];
      for (const end of [...inside, to]) ends.set(end, otherTo);
    }
    return ends;
  };

  // Rows end where a sentence of the first text ends and one of most other texts does, too. What a
  // text has for several rows stands in one cell; a text that is not split into sentences belongs to
  // all rows. → {n: rows, cells: text → [[from, to, row, how many rows], …], or null for all}
  const rowsOf = (texts) => {
    const [base, ...others] = texts;
    const ends = new Map(others.map((other) => [other, endsOf(base, other)]));
    const split = others.filter((other) => ends.get(other).size > 1);
    const own = window.mtevalTexts.sentences(base).slice(1);
    const isCommon = (cut) => 2 * split.filter((other) => ends.get(other).has(cut)).length > split.length;
    const cuts = split.length ? own.filter(isCommon) : own;
    const cellsOf = (text) => {
      const at = text === base ? new Map(cuts.map((cut) => [cut, cut])) : ends.get(text);
      const rows = [...cuts.keys()].filter((row) => at.has(cuts[row])); // those that end with a cell
      return [...rows, cuts.length].map((row, i) => [
        i ? at.get(cuts[rows[i - 1]]) : 0,
        row < cuts.length ? at.get(cuts[row]) : textOf(text).length,
        i ? rows[i - 1] + 1 : 0,
        i ? row - rows[i - 1] : row + 1,
      ]);
    };
    const cells = texts.map((text) => [text, text === base || split.includes(text) ? cellsOf(text) : null]);
    return { n: cuts.length + 1, cells: new Map(cells) };
  };

  // What of a stage can be compared; null where it has too few translations, or too many.
  const comparable = () => {
    const outputs = [...stage.querySelectorAll(".judged .output")];
    const texts = outputs.map((output) => output.querySelector(".segment-text"));
    if (outputs.length < 2 || outputs.length > MOST || stage.querySelector(".media")) return null;
    if (!texts.every(Boolean) || texts.some((text) => "value" in text)) return null;
    if (outputs.some((output) => output.parentNode !== outputs[0].parentNode)) return null;
    const given = stage.querySelector(".given");
    const all = [...(given?.querySelectorAll(".segment-text") ?? []), ...texts];
    const { n, cells } = rowsOf(all);
    if (n < 2) return null;
    const isLong = n >= FEWEST_ROWS && texts.some((text) => textOf(text).length >= LONG);
    return { container: outputs[0].parentNode, outputs, given, texts: all, cells, n, isLong };
  };

  // ---- Cells: a text keeps its characters, each sentence in an element of its own ---------------
  const isHere = ({ dataset: { row, rows } }) => row <= current && current < Number(row) + Number(rows);

  const cellFor = (row, rows) => {
    const cell = document.createElement("span");
    cell.className = "sentence";
    Object.assign(cell.dataset, { row, rows });
    cell.style.gridRow = `span ${rows}`;
    cell.classList.toggle("is-here", isHere(cell));
    return cell;
  };

  const whole = new WeakMap(); // text → its own nodes, while their copies stand in cells
  const wrap = (text, cells) => {
    const range = document.createRange();
    const made = cells.map(([from, to, ...place]) => {
      const cell = cellFor(...place);
      if (to > from) {
        range.setStart(...window.mtevalTexts.place(text, from));
        range.setEnd(...window.mtevalTexts.place(text, to));
        cell.append(range.cloneContents());
      }
      return cell;
    });
    whole.set(text, [...text.childNodes]);
    text.replaceChildren(...made);
  };

  const unwrap = (text) => {
    if (whole.has(text)) text.replaceChildren(...whole.get(text));
    whole.delete(text);
  };

  // Texts in which errors are marked are drawn by their script, which asks for the cells.
  const cut = (text) => {
    const cells = isShown ? found.cells.get(text) : null;
    if (text.matches(".span-text")) text.dispatchEvent(new CustomEvent("mteval:cells"));
    else if (cells) wrap(text, cells);
    else unwrap(text);
  };

  // ---- Columns ---------------------------------------------------------------------------------
  const parts = () => [...(found.given?.querySelectorAll("details[data-part]") ?? [])];

  const arrange = () => {
    const { container, outputs, given } = found;
    const isTable = isShown && isWide.matches;
    const columns = [...(isTable ? parts() : []), ...outputs];
    columns.forEach((column, i) => column.style.setProperty("--column", i + 1));
    const open = (column, i) => {
      if (column.matches("details:not([open])")) return "max-content";
      const isSource = i === 0 && column.matches("details"); // divider.js says how wide it is
      return isSource ? "minmax(0, var(--source-column, 1fr))" : "minmax(0, 1fr)";
    };
    container.style.setProperty("--columns", columns.map(open).join(" "));
    container.style.setProperty("--rows", found.n);
    container.dataset.compared = columns.length;
    if (given && isTable && given.parentNode !== container) container.prepend(given);
    if (given && !isTable && given.parentNode === container) stage.prepend(given);
    const first = stage.querySelector(".of-document");
    if (given && !isTable && first) first.after(given);
    steps();
  };

  // ---- One translation at a time, where there is no room for more ------------------------------
  const places = document.createElement("div");
  places.className = "place-steps";
  places.setAttribute("role", "group");
  const isNarrow = () => Boolean(found) && isShown && !isWide.matches;

  // The middle of a translation to the middle of what it is scrolled in: either direction of reading.
  const bring = (output) => {
    const [{ left, right }, box] = [output, found.container].map((each) => each.getBoundingClientRect());
    found.container.scrollBy({ left: (left + right - box.left - box.right) / 2, behavior: "instant" });
  };

  const goTo = (output) => {
    if (!output) return;
    window.mtevalScreen?.markIn(output);
    if (isNarrow()) bring(output);
  };

  // Once a finger has let go: the translation whose middle is nearest is the one that is asked about.
  const REST_MS = 120;
  let resting = null;
  const arrived = () => {
    if (!isNarrow()) return;
    const middle = ({ left, right }) => (left + right) / 2;
    const here = middle(found.container.getBoundingClientRect());
    const away = found.outputs.map((output) => Math.abs(middle(output.getBoundingClientRect()) - here));
    const at = away.indexOf(Math.min(...away));
    for (const [i, step] of [...places.children].entries()) step.setAttribute("aria-current", i === at);
    window.mtevalScreen?.markIn(found.outputs[at]);
  };
  const moved = () => {
    clearTimeout(resting);
    resting = setTimeout(arrived, REST_MS);
  };

  const steps = () => {
    places.remove();
    if (!isNarrow()) return;
    places.setAttribute("aria-label", stage.querySelector(".judged").getAttribute("aria-label"));
    places.replaceChildren(
      ...found.outputs.map((output, i) => {
        const step = document.createElement("button");
        step.type = "button";
        step.textContent = i + 1;
        step.setAttribute("aria-label", output.querySelector(".place").textContent);
        step.addEventListener("click", () => goTo(output));
        return step;
      }),
    );
    found.container.before(places);
    found.container.addEventListener("scroll", moved, { passive: true });
    const asked = found.outputs.find((output) => output.querySelector(".is-current"));
    if (asked) bring(asked);
    arrived();
  };

  // How high the strip is, and where its tools, which are as wide as the table, begin.
  const strip = new ResizeObserver(() => {
    if (!found || !isShown) return;
    const table = found.container.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(found.container).direction === "rtl";
    found.container.style.setProperty("--table-width", `${table.width}px`);
    for (const output of found.outputs) {
      const { left, right } = output.getBoundingClientRect();
      const before = isRightToLeft ? table.right - right : left - table.left;
      output.style.setProperty("--from-start", `${before}px`);
    }
    const highest = (parts) => Math.max(0, ...[...stage.querySelectorAll(parts)].map((part) => part.offsetHeight));
    const answers = highest(".output > .answers");
    found.container.style.setProperty("--answers", `${answers}px`);
    found.container.style.setProperty("--strip", `${answers + highest(".span-tools")}px`);
  });

  const light = (row) => {
    current = row;
    for (const cell of stage.querySelectorAll(".sentence"))
      cell.classList.toggle("is-here", isHere(cell));
  };

  const show = (isTable) => {
    const focused = document.activeElement;
    isShown = isTable;
    stage.classList.toggle("is-table", isTable);
    found.container.classList.toggle("comparison", isTable);
    for (const text of found.texts) if (found.cells.get(text)) cut(text);
    arrange();
    strip.disconnect();
    if (isTable)
      for (const part of [found.container, ...stage.querySelectorAll(".answers, .span-tools")])
        strip.observe(part);
    if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
    button.setAttribute("aria-pressed", isTable);
    stage.dispatchEvent(new CustomEvent("mteval:compared", { bubbles: true }));
  };

  // ---- Chosen by length, or by the annotator -----------------------------------------------------
  const wanted = () => store((s) => s.getItem(KEPT)) ?? body.dataset.comparedTexts ?? "";

  // One after the other: the site keeps what it received last.
  let sent = Promise.resolve();
  const keep = (value) => {
    body.dataset.comparedTexts = value;
    store((s) => s.setItem(KEPT, value));
    if (form.dataset.compared) sent = sent.then(() => send(value));
  };

  const send = async (value) => {
    if (body.dataset.comparedTexts !== value) return; // chosen anew meanwhile
    const data = new FormData();
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
    data.set("compared_texts", value);
    data.set("csrfmiddlewaretoken", token ?? form.elements.csrfmiddlewaretoken.value);
    try {
      const options = { method: "POST", body: data, redirect: "manual" };
      const { status } = await fetch(form.dataset.compared, options);
      if (status === 204 && body.dataset.comparedTexts === value) store((s) => s.removeItem(KEPT));
    } catch {
      // The site cannot be reached; this device knows.
    }
  };

  const toggle = () => {
    if (!found) return false;
    show(!isShown);
    keep(isShown ? "table" : "list");
    return true;
  };

  const open = (row) => {
    stage = row;
    current = 0;
    isShown = false;
    strip.disconnect();
    clearTimeout(resting);
    found = isPossible ? comparable() : null;
    if (button) button.hidden = !found;
    if (!found) return;
    const asked = wanted();
    if (asked === "table" || (asked === "" && found.isLong)) show(true);
    else button.setAttribute("aria-pressed", false);
  };

  const untold = store((s) => s.getItem(KEPT));
  if (untold && form.dataset.compared) keep(untold);
  button?.addEventListener("click", toggle);
  isWide.addEventListener("change", () => found && isShown && arrange());
  document.addEventListener(
    "toggle",
    ({ target }) => found && isShown && target.matches?.("details[data-part]") && arrange(),
    true,
  );
  document.addEventListener("mteval:open", ({ target }) => open(target));
  document.addEventListener("mteval:current", ({ target }) => {
    const output = isNarrow() && target.closest(".output");
    if (output && found.outputs.includes(output)) bring(output);
  });

  // Arrows go from column to column, where no answer and no text takes them.
  document.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || !found || !isShown || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (body.matches(".no-keys") || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input, select, textarea, [role=listbox]")) return;
    // Sliders, texts with errors and a choice between two have a use of their own for arrows.
    const question = stage.querySelector(".is-current");
    if (!["rank", undefined].includes(question?.dataset.widget) || stage.querySelector("[data-arrows]"))
      return;
    const isRightToLeft = getComputedStyle(found.container).direction === "rtl";
    const at = found.outputs.findIndex((output) => output.querySelector(".is-current"));
    const next = found.outputs[at + (isRightToLeft ? -way : way)];
    if (!next) return;
    event.preventDefault();
    goTo(next);
  });

  window.mtevalComparison = {
    toggle,
    light,
    // Between headings and strip; null where none of it stays in sight.
    room: () => {
      if (!isShown || !isWide.matches) return null;
      const [output] = found.outputs;
      const { bottom: top } = output.querySelector(".place").getBoundingClientRect();
      const dock = document.querySelector(".dock").getBoundingClientRect().top;
      const height = parseFloat(found.container.style.getPropertyValue("--strip")) || 0;
      const asked = stage.querySelector(".pair-question")?.getBoundingClientRect();
      return { top: Math.max(0, top), bottom: dock - height - (asked?.height ?? 0) };
    },
    cellFor,
    // [from, to, row, how many rows] of each cell of a text; null where it is shown as a whole.
    cellsOf: (text) => (isShown && found.cells.get(text)) || null,
    // The rows that are shown: [[text, from, to], …] of the cells that begin there, the source first.
    rows: () => {
      if (!isShown) return null;
      const rows = Array.from({ length: found.n }, () => []);
      for (const text of found.texts)
        for (const [from, to, row] of found.cells.get(text) ?? []) rows[row].push([text, from, to]);
      return rows;
    },
  };
})();
