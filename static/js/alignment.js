// Word links: the words of the source above those of the translation, with a line for every link.
// One word of the source is chosen; choosing words of the translation links them to it: sure, then
// possible, then not. The links travel as text ("0-0 1p2") in a hidden field.
"use strict";
(() => {
  const SURE = "-";
  const POSSIBLE = "p";
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
    const drawLines = () => {
      const frame = stage.getBoundingClientRect();
      if (!frame.width) return;
      lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
      const drawn = sorted().map(([i, j, kind]) => {
        const from = tokens.source[i].getBoundingClientRect();
        const to = tokens.target[j].getBoundingClientRect();
        const line = document.createElementNS(SVG, "line");
        line.setAttribute("x1", from.left + from.width / 2 - frame.left);
        line.setAttribute("y1", from.bottom - frame.top);
        line.setAttribute("x2", to.left + to.width / 2 - frame.left);
        line.setAttribute("y2", to.top - frame.top);
        line.classList.toggle("is-possible", kind === POSSIBLE);
        line.classList.toggle("is-chosen", i === chosen);
        return line;
      });
      lines.replaceChildren(...drawn);
    };

    const drawList = () => {
      const items = sorted().map(([i, j, kind]) => {
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
      list.hidden = !items.length;
    };

    const draw = () => {
      const linked = { source: new Set(), target: new Set() };
      for (const [i, j] of sorted()) {
        linked.source.add(i);
        linked.target.add(j);
      }
      tokens.source.forEach((token, i) => {
        token.classList.toggle("is-linked", linked.source.has(i));
        token.classList.toggle("is-chosen", i === chosen);
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
        .replace("###", tokens.target.length - linked.target.size)
        .replace("##", tokens.source.length - linked.source.size)
        .replace("#", links.size);
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
      chosen = i;
      draw();
      const mine = tokens.target
        .map((token, j) => kindOf(i, j) && `${token.textContent} (${spoken[kindOf(i, j)]})`)
        .filter(Boolean);
      return `${words.chosen.replace("#", textOf("source", i))}. ${mine.join(", ") || words.unlinked}`;
    };

    // Where the eye looks next: the first link of the chosen word, or what follows the last one.
    const suggested = () => {
      const mine = tokens.target.findIndex((token, j) => kindOf(chosen, j));
      if (mine >= 0) return mine;
      const before = sorted().filter(([i]) => i < chosen);
      const next = before.length ? before.at(-1)[1] + 1 : chosen;
      return Math.max(0, Math.min(tokens.target.length - 1, next));
    };

    const goTo = (side, i) => {
      if (!tokens[side].length) return;
      const place = Math.max(0, Math.min(tokens[side].length - 1, i));
      if (side === "source") screen.say(choose(place));
      else {
        cursor = place;
        draw();
        screen.say(`${textOf("target", place)}: ${spoken[kindOf(chosen, place)]}`);
      }
      tokens[side][place].focus({ preventScroll: true });
      tokens[side][place].scrollIntoView({ block: "nearest" });
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
          goTo("target", suggested());
          screen.say(`${said}. ${textOf("target", cursor)}`);
        }
      } else if (event.key in steps) goTo(side, at + steps[event.key]);
      else if (event.key === "Home") goTo(side, 0);
      else if (event.key === "End") goTo(side, tokens[side].length - 1);
      else if (event.key === "ArrowDown" && side === "source") goTo("target", suggested());
      else if (event.key === "ArrowUp" && side === "target") goTo("source", chosen);
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
    none.addEventListener("change", () => screen.changed());
    const observer = new ResizeObserver(drawLines);
    observer.observe(stage);

    stage.hidden = false;
    read(held.value);
    write();
    draw();
    queueMicrotask(() => {
      restoring = false;
      if (links.size || none.checked) screen.changed();
    });
    return {
      isAnswered: () => !restoring && (links.size > 0 || none.checked),
      focus: () => tokens.source[chosen]?.focus({ preventScroll: true }),
      answers: () => [[held.name, held.value], ...(none.checked ? [[none.name, "on"]] : [])],
      restore: (answers) => {
        const kept = Object.fromEntries(answers);
        read(kept[held.name] ?? "");
        none.checked = none.name in kept && !links.size;
        write();
        draw();
      },
      choose: () => false,
      key: (event) => {
        if (!["ArrowLeft", "ArrowRight", "ArrowDown"].includes(event.key)) return false;
        if (question.contains(event.target)) return false;
        goTo("source", chosen);
        return true;
      },
      leave: () => observer.disconnect(),
    };
  };

  (window.mtevalWidgets ??= {}).alignment = alignment;
})();
