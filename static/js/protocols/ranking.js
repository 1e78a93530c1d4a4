// Ranking: every translation has its ranks to choose from, by digits, touch or mouse, and beside them
// is the order that comes of it, where the translations can be dragged from rank to rank. What is
// dragged sets the same choice, so that both always say the same.
"use strict";
(() => {
  const CHARACTERS = 60; // of a text on its chip
  const SLIP = 6; // pixels: a shorter way is no dragging

  const boards = new WeakMap(); // the container → its board

  const makeBoard = (container) => {
    const section = container.querySelector("[data-board]");
    const rows = [...section.querySelectorAll("[data-rank]")];
    const members = []; // per translation: its question, its chip, and what tells that it changed
    section.hidden = false;

    const rowOf = (question) => {
      const rank = question.querySelector(":checked")?.value ?? "";
      return rows.find((row) => row.dataset.rank === rank);
    };

    const render = () => {
      for (const { question, chip } of members) {
        const list = rowOf(question).querySelector("dd");
        if (chip.parentNode !== list) list.append(chip);
      }
      const rest = rows.at(-1);
      rest.hidden = !rest.querySelector("dd").hasChildNodes();
    };

    const makeChip = (question, screen) => {
      const card = question.closest(".output");
      const chip = document.createElement("span");
      const number = document.createElement("strong");
      const text = card.querySelector(".segment-text .empty-text") ?? card.querySelector(".segment-text");
      chip.className = "chip";
      number.textContent = question.dataset.place;
      chip.append(number);
      if (text) {
        const start = document.createElement("span");
        start.lang = text.lang;
        start.dir = text.dir;
        start.textContent = [...text.textContent].slice(0, CHARACTERS).join("");
        chip.append(start);
      }
      let from = null;
      let over = null;
      const light = (row) => {
        over?.classList.remove("is-over");
        over = row;
        over?.classList.add("is-over");
      };
      const stop = () => {
        from = null;
        light(null);
        chip.classList.remove("is-dragged");
        chip.style.transform = "";
      };
      chip.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        chip.setPointerCapture(event.pointerId);
        from = { x: event.clientX, y: event.clientY };
      });
      chip.addEventListener("pointermove", (event) => {
        if (!from) return;
        const x = event.clientX - from.x;
        const y = event.clientY - from.y;
        if (Math.hypot(x, y) < SLIP && !chip.classList.contains("is-dragged")) return;
        chip.classList.add("is-dragged");
        chip.style.transform = `translate(${x}px, ${y}px)`;
        const below = document.elementsFromPoint(event.clientX, event.clientY);
        light(rows.find((row) => row.dataset.rank && below.includes(row)) ?? null);
      });
      chip.addEventListener("pointercancel", stop);
      chip.addEventListener("pointerup", () => {
        const rank = over?.dataset.rank;
        stop();
        const answer = rank && question.querySelector(`input[value="${rank}"]`);
        if (!answer || answer.checked) return;
        answer.checked = true;
        answer.dispatchEvent(new Event("change", { bubbles: true }));
        const words = rank === "0" ? container.dataset.unranked : container.dataset.ranked;
        const place = question.dataset.place;
        screen.say(words.replace("##", rank).replace("#", place));
      });
      return chip;
    };

    const add = (question, screen) => {
      question.dataset.place = members.length + 1;
      members.push({ question, chip: makeChip(question, screen) });
      question.addEventListener("change", render);
      render();
    };
    return { add, render };
  };

  const rank = (question, screen) => {
    const container = question.closest("[data-ranking]");
    if (!boards.has(container)) boards.set(container, makeBoard(container));
    const board = boards.get(container);
    board.add(question, screen);
    const set = (answer) => {
      if (answer) answer.checked = true;
      board.render();
      return Boolean(answer);
    };
    return {
      isAnswered: () => question.querySelector(":checked") !== null,
      focus: () =>
        (question.querySelector(":checked") || question.querySelector("input")).focus({
          preventScroll: true,
        }),
      answers: () => [...question.querySelectorAll(":checked")].map(({ name, value }) => [name, value]),
      restore: ([answer]) => {
        for (const input of question.querySelectorAll("input"))
          input.checked = input.value === answer?.[1];
        board.render();
      },
      choose: (key) => set(question.querySelector(`[data-key="${key}"]`)),
    };
  };

  (window.mtevalWidgets ??= {}).rank = rank;
})();
