// Word links: the words of the source above those of the translation, with a line for every link.
// One word of the source is chosen; choosing words of the translation links them to it: sure, then
// possible, then not. The links travel as text ("0-0 1p2") in a hidden field. Of long texts a pair of
// sentences is shown at a time (sentences.js); the source follows the translation by links.
import { sentenceLinks } from "./sentences.js";

const SURE = "-";
const POSSIBLE = "p";
const REST_MS = 120; // so long the mouse stays at a word that is read
const LONG = 24; // words of a source that gets a pane of its own
const PAGES = { PageDown: 1, PageUp: -1 };
const SVG = "http://www.w3.org/2000/svg";

const alignment = (question, screen) => {
  const words = question.dataset;
  const held = question.querySelector("[data-links]");
  const none = question.querySelector("[data-none]");
  const stage = question.querySelector("[data-stage]");
  const lines = question.querySelector(".link-lines");
  const list = question.querySelector("[data-list]");
  const counts = question.querySelector("[data-counts]");
  const rows = { source: question.querySelector("[data-source]"), target: question.querySelector("[data-target]") };
  const tokens = { source: [...rows.source.children], target: [...rows.target.children] };
  const links = new Map(); // "source target" → SURE or POSSIBLE
  let chosen = 0; // the word of the source
  let cursor = 0; // the word of the translation that the keys are at
  let restoring = true; // what was proposed is no answer before a draft had its turn

  const name = (i, j) => `${i} ${j}`;
  const textOf = (side, i) => tokens[side][i].textContent;
  const kindOf = (i, j) => links.get(name(i, j));
  const sorted = () =>
    [...links]
      .map(([ends, kind]) => [...ends.split(" ").map(Number), kind])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const long = sentenceLinks(question, rows, tokens, sorted);
  const isLong = Boolean(long) || tokens.source.length > LONG;
  const isShown = (side, i) => !long || long.isShown(side, i);
  const spoken = { [SURE]: words.sure, [POSSIBLE]: words.perhaps, undefined: words.unlinked };

  // ---- What is there --------------------------------------------------------------------
  const read = (text) => {
    links.clear();
    for (const part of text.split(/\s+/)) {
      const match = /^(\d+)([-p?])(\d+)$/.exec(part);
      if (!match || match[1] >= tokens.source.length || match[3] >= tokens.target.length) continue;
      links.set(name(Number(match[1]), Number(match[3])), match[2] === SURE ? SURE : POSSIBLE);
    }
  };

  const write = () => {
    held.value = sorted().map(([i, j, kind]) => `${i}${kind}${j}`).join(" ");
  };

  // ---- What is seen ---------------------------------------------------------------------
  const here = () => sorted().filter(([i, j]) => isShown("source", i) && isShown("target", j));

  const drawLines = () => {
    const frame = stage.getBoundingClientRect();
    if (!frame.width) return;
    lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    const pane = rows.source.getBoundingClientRect(); // of a long text, words may be scrolled out of it
    const drawn = here().flatMap(([i, j, kind]) => {
      const from = tokens.source[i].getBoundingClientRect();
      const to = tokens.target[j].getBoundingClientRect();
      if (from.bottom < pane.top || to.top < pane.bottom) return [];
      const line = document.createElementNS(SVG, "line");
      line.setAttribute("x1", from.left + from.width / 2 - frame.left);
      line.setAttribute("y1", Math.min(from.bottom, pane.bottom) - frame.top);
      line.setAttribute("x2", to.left + to.width / 2 - frame.left);
      line.setAttribute("y2", to.top - frame.top);
      line.classList.toggle("is-possible", kind === POSSIBLE);
      line.classList.toggle("is-chosen", i === chosen);
      return line;
    });
    lines.replaceChildren(...drawn);
  };

  const drawList = () => {
    const items = here().map(([i, j, kind]) => {
      const [from, to] = [textOf("source", i), textOf("target", j)];
      const item = document.createElement("li");
      const said = document.createElement("span");
      const [first, second] = [from, to].map((word) => {
        const apart = document.createElement("bdi"); // the words may run in different directions
        apart.textContent = word;
        return apart;
      });
      said.append(first, " – ", second, `: ${spoken[kind]}`);
      const remove = document.createElement("button");
      remove.type = "button";
      remove.textContent = "×";
      remove.setAttribute("aria-label", words.remove.replace("##", to).replace("#", from));
      remove.addEventListener("click", () => {
        set(i, j, undefined);
        list.querySelector("summary").focus({ preventScroll: true });
      });
      item.append(said, remove);
      return item;
    });
    list.querySelector("[data-items]").replaceChildren(...items);
    // Its place stays, so that taking the last link away moves nothing.
    list.style.visibility = items.length ? "" : "hidden";
    list.hidden &&= !items.length;
  };

  const draw = () => {
    long?.draw();
    const linked = { source: new Set(), target: new Set() };
    for (const [i, j] of sorted()) {
      linked.source.add(i);
      linked.target.add(j);
    }
    const unlinked = (side) => tokens[side].filter((token, i) => isShown(side, i) && !linked[side].has(i)).length;
    tokens.source.forEach((token, i) => {
      token.classList.toggle("is-linked", linked.source.has(i));
      token.classList.toggle("is-chosen", i === chosen);
      token.classList.toggle("is-opposite", i !== chosen && kindOf(i, cursor) !== undefined);
      token.tabIndex = i === chosen ? 0 : -1;
      if (i === chosen) token.setAttribute("aria-current", "true");
      else token.removeAttribute("aria-current");
    });
    tokens.target.forEach((token, j) => {
      const kind = kindOf(chosen, j);
      token.classList.toggle("is-linked", linked.target.has(j));
      token.classList.toggle("is-sure", kind === SURE);
      token.classList.toggle("is-possible", kind === POSSIBLE);
      token.tabIndex = j === cursor ? 0 : -1;
      token.setAttribute("aria-pressed", kind === SURE ? "true" : kind ? "mixed" : "false");
    });
    none.disabled = links.size > 0;
    counts.textContent = words.count
      .replace("###", unlinked("target"))
      .replace("##", unlinked("source"))
      .replace("#", here().length);
    drawList();
    drawLines();
  };

  // ---- What is done ---------------------------------------------------------------------
  const set = (i, j, kind) => {
    if (kind) links.set(name(i, j), kind);
    else links.delete(name(i, j));
    if (links.size) none.checked = false;
    write();
    draw();
    screen.changed();
    screen.say(`${textOf("source", i)} – ${textOf("target", j)}: ${spoken[kind]}`);
  };

  const cycle = (j) => {
    if (!tokens.source.length) return;
    const kind = kindOf(chosen, j);
    cursor = j;
    if (!kind) set(chosen, j, SURE);
    else set(chosen, j, kind === SURE && words.possible ? POSSIBLE : undefined);
  };

  // Chooses a word of the source; what is to be said about it.
  const choose = (i) => {
    const isThere = isShown("source", i);
    chosen = i;
    if (!isThere) long.show(long.stepOf(i));
    cursor = suggested();
    draw();
    const mine = tokens.target
      .map((token, j) => kindOf(i, j) && `${token.textContent} (${spoken[kindOf(i, j)]})`)
      .filter(Boolean);
    const place = isThere ? "" : `${long.inWords()}. `;
    return `${place}${words.chosen.replace("#", textOf("source", i))}. ${mine.join(", ") || words.unlinked}`;
  };

  // Where the eye looks next: the first link of the chosen word, or what follows the last one.
  const suggested = () => {
    const mine = tokens.target.findIndex((token, j) => kindOf(chosen, j));
    if (mine >= 0) return mine;
    const before = sorted().filter(([i]) => i < chosen);
    const next = before.length ? before.at(-1)[1] + 1 : chosen;
    const last = tokens.target.length - 1;
    const place = Math.max(0, Math.min(last, next));
    if (isShown("target", place)) return place;
    return tokens.target.findIndex((token, j) => isShown("target", j));
  };

  // ---- Long texts: the two sides keep together -------------------------------------------
  // The source is a pane: what the word of the translation is linked to comes into its sight.
  const bringSource = (i) => {
    const box = tokens.source[i]?.getBoundingClientRect();
    const pane = rows.source.getBoundingClientRect();
    if (!isLong || !box?.height) return;
    if (box.top < pane.top || box.bottom > pane.bottom)
      rows.source.scrollTop += box.top - pane.top - (pane.height - box.height) / 3;
    drawLines();
  };

  // Opposite of a word of the translation: what it is linked to, or what the nearest linked word
  // before it is.
  const opposite = (j) => {
    const mine = here().filter(([, to]) => to <= j);
    const nearest = Math.max(-1, ...mine.map(([, to]) => to));
    return mine.find(([, to]) => to === nearest)?.[0] ?? -1;
  };

  // The page scrolls only if what the chosen word is linked to, or may be, is out of sight.
  const bringTarget = () => {
    const box = tokens.target[cursor]?.getBoundingClientRect();
    const top = rows.source.getBoundingClientRect().bottom;
    const bottom = document.querySelector(".dock")?.getBoundingClientRect().top ?? innerHeight;
    if (!isLong || !box || (box.top >= top && box.bottom <= bottom)) return;
    window.scrollBy({ top: box.top - top - (bottom - top - box.height) / 3, behavior: "instant" });
  };

  const show = (index) => {
    const isBelow = stage.getBoundingClientRect().top < 0;
    long.show(index);
    choose(long.first());
    if (isBelow) question.scrollIntoView({ block: "start" });
    rows.source.scrollTop = 0;
    tokens.source[chosen].focus({ preventScroll: true });
    screen.say(`${long.inWords()}. ${textOf("source", chosen)}`);
  };

  const more = (side, way) => {
    const first = long.more(side, way);
    if (first < 0) return;
    draw();
    goTo(side, first);
  };

  const goOn = () => {
    const next = long ? long.next() : -1;
    if (next < 0) return false;
    show(next);
    screen.changed();
    screen.say(`${long.inWords()}. ${textOf("source", chosen)}`);
    return true;
  };

  const goTo = (side, i) => {
    if (!tokens[side].length) return;
    const place = Math.max(0, Math.min(tokens[side].length - 1, i));
    if (side === "source") {
      screen.say(choose(place));
      bringTarget();
    } else {
      if (!isShown("target", place)) long.reveal("target", place);
      cursor = place;
      draw();
      bringSource(opposite(place));
      screen.say(`${textOf("target", place)}: ${spoken[kindOf(chosen, place)]}`);
    }
    tokens[side][place].focus({ preventScroll: true });
    if (isLong && side === "target") bringTarget();
    else if (isLong) bringSource(place);
    else tokens[side][place].scrollIntoView({ block: "nearest" });
  };

  // Of what is shown, the first word and the last one.
  const ends = (side) => {
    const all = tokens[side].map((token, i) => i).filter((i) => isShown(side, i));
    return [all[0], all.at(-1)];
  };

  const isRightToLeft = (row) => getComputedStyle(row).direction === "rtl";

  const onKey = (side) => (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = side === "source" ? chosen : cursor;
    const step = isRightToLeft(rows[side]) ? -1 : 1;
    const steps = { ArrowRight: step, ArrowLeft: -step };
    if (event.key in steps && event.shiftKey && side === "target") {
      // The next word of the source, without leaving the translation.
      const way = event.key === "ArrowRight" ? 1 : -1;
      const to = chosen + (isRightToLeft(rows.source) ? -way : way);
      if (to >= 0 && to < tokens.source.length) {
        const said = choose(to);
        bringSource(to);
        goTo("target", suggested());
        screen.say(`${said}. ${textOf("target", cursor)}`);
      }
    } else if (event.key in steps) goTo(side, at + steps[event.key]);
    else if (event.key === "Home") goTo(side, ends(side)[0] ?? 0);
    else if (event.key === "End") goTo(side, ends(side)[1] ?? 0);
    else if (event.key === "ArrowDown" && side === "source") goTo("target", suggested());
    else if (event.key === "ArrowUp" && side === "target") goTo("source", chosen);
    else if (long && event.key in PAGES) show(long.at() + PAGES[event.key]);
    else if (event.key === "Delete" && side === "target" && kindOf(chosen, cursor)) set(chosen, cursor);
    else if (event.key === "Enter" && !event.repeat) question.closest("form").requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  for (const side of ["source", "target"]) {
    rows[side].addEventListener("keydown", onKey(side));
    tokens[side].forEach((token, i) => {
      token.addEventListener("click", () => {
        if (side === "source") goTo("source", i);
        else cycle(i);
      });
    });
  }
  let resting = null;
  rows.target.addEventListener("pointerover", ({ target, pointerType }) => {
    const j = tokens.target.indexOf(target);
    clearTimeout(resting);
    if (isLong && j >= 0 && pointerType === "mouse")
      resting = setTimeout(() => bringSource(opposite(j)), REST_MS);
  });
  question.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step], [data-more] button");
    if (!button) return;
    if (button.dataset.step) show(long.at() + Number(button.dataset.step));
    else more(button.closest("[data-more]").dataset.more, Number(button.dataset.way));
  });
  none.addEventListener("change", () => screen.changed());
  if (isLong) {
    question.classList.add("is-long");
    rows.source.addEventListener("scroll", drawLines, { passive: true });
    window.addEventListener("scroll", drawLines, { passive: true });
  }
  const observer = new ResizeObserver(drawLines);
  observer.observe(stage);

  stage.hidden = false;
  read(held.value);
  if (document.getElementById("stage").dataset.judged) long?.see(long.count);
  write();
  if (tokens.source.length) choose(0);
  else draw();
  queueMicrotask(() => {
    restoring = false;
    if (links.size || none.checked) screen.changed();
  });
  return {
    isAnswered: () => !restoring && (none.checked || (links.size > 0 && !(long?.next() >= 0))),
    // Every sentence is looked at before the answer goes: Enter and the button lead through them.
    goOn,
    state: () => long?.next() >= 0 && words.goOn.replace("##", long.count).replace("#", long.next() + 1),
    focus: () => tokens.source[chosen]?.focus({ preventScroll: true }),
    answers: () => [[held.name, held.value], ...(none.checked ? [[none.name, "on"]] : [])],
    restore: (answers) => {
      const kept = Object.fromEntries(answers);
      const before = new Map(links);
      read(kept[held.name] ?? "");
      none.checked = none.name in kept && !links.size;
      // What was changed was seen; the work goes on there.
      const mine = [...links, ...before].filter(([ends]) => before.get(ends) !== links.get(ends));
      const furthest = Math.max(-1, ...mine.map(([ends]) => Number(ends.split(" ")[0])));
      if (long && furthest >= 0) {
        long.see(long.stepOf(furthest));
        long.show(long.stepOf(furthest));
        chosen = long.first();
        cursor = suggested();
      }
      write();
      draw();
    },
    choose: () => false,
    key: (event) => {
      if (question.contains(event.target)) return false;
      if (long && event.key in PAGES && !event.shiftKey) {
        show(long.at() + PAGES[event.key]);
        return true;
      }
      if (!["ArrowLeft", "ArrowRight", "ArrowDown"].includes(event.key)) return false;
      // From elsewhere the first key enters where the work is: the word that is chosen, or its partner.
      if (event.key === "ArrowDown") goTo("target", suggested());
      else goTo("source", chosen);
      return true;
    },
    leave: () => {
      observer.disconnect();
      clearTimeout(resting);
      window.removeEventListener("scroll", drawLines);
    },
  };
};

(window.mtevalWidgets ??= {}).alignment = alignment;
