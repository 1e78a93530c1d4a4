// Continuous rating: a recording that is heard once, its translation as it appears, and the keys that
// are pressed meanwhile, each kept with its moment. See the widgets of judge.js.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDE = 1000; // of the strip, whose height is that of the scale
  const CHARACTERS_PER_SECOND = 15; // where a clock runs, because there is no recording

  // What stands in for a player: the same five things, and its events.
  const clockOf = (seconds) => {
    let began = null;
    let passed = 0;
    let timer = 0;
    const clock = new EventTarget();
    const tell = (name) => clock.dispatchEvent(new Event(name));
    const now = () => Math.min(seconds, passed + (began === null ? 0 : (performance.now() - began) / 1000));
    const pause = () => {
      if (began === null) return;
      [passed, began] = [now(), null];
      clearInterval(timer);
      tell("pause");
    };
    Object.defineProperties(clock, {
      paused: { get: () => began === null },
      ended: { get: () => now() >= seconds },
      duration: { value: seconds },
      currentTime: {
        get: now,
        set: (time) => {
          passed = time;
          if (began !== null) began = performance.now();
        },
      },
      play: {
        value: async () => {
          began = performance.now();
          timer = setInterval(() => {
            tell("timeupdate");
            if (clock.ended) pause();
          }, 100);
          tell("play");
        },
      },
      pause: { value: pause },
    });
    return clock;
  };

  const clockTime = (seconds) => {
    const whole = Math.floor(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  };

  (window.mtevalWidgets ??= {}).continuous = (question, screen) => {
    const words = question.dataset;
    const find = (name) => question.querySelector(`[data-${name}]`);
    const field = find("course");
    const steps = [...question.querySelectorAll("[data-step]")];
    const best = Math.max(...steps.map((step) => Number(step.dataset.step)));
    const texts = [...question.querySelectorAll("[data-text]")];
    const box = find("texts");
    const toggle = find("play");
    const start = Number(words.start || 0);
    const media = question.querySelector("audio, video");
    const lengths = texts.map((each) => Math.max(1, each.textContent.length / CHARACTERS_PER_SECOND));
    const player = media ?? clockOf(lengths.reduce((sum, length) => sum + length, 0));
    // Without a recording a text appears when those before it could have been read.
    const shownFrom = texts.map((each, i) => {
      if (media) return "from" in each.dataset ? Number(each.dataset.from) : -Infinity;
      return lengths.slice(0, i).reduce((sum, length) => sum + length, 0);
    });
    let presses = []; // [[milliseconds, step, clock], …]
    let reached = start;
    let isEnded = false;

    const end = () => Number(words.end) || (Number.isFinite(player.duration) ? player.duration : Infinity);
    const ms = (seconds) => Math.round(seconds * 1000);
    const isOver = () => isEnded || player.ended || reached >= end() - 0.05;

    // ---- What is sent: see course.py ---------------------------------------------------------------
    const written = () => presses.map(([at, step, clock]) => `${at / 1000} ${step}${clock ? ` ${clock}` : ""}`);
    const read = (text) => {
      const lines = text.split("\n").filter(Boolean).map((line) => line.split(" "));
      isEnded = lines.at(-1)?.[1] === "end";
      presses = lines
        .filter(([, step]) => step !== "end")
        .map(([at, step, clock]) => [ms(Number(at)), Number(step), clock ? Number(clock) : 0]);
      reached = Math.max(reached, start, isEnded ? Number(lines.at(-1)[0]) : (presses.at(-1)?.[0] ?? 0) / 1000);
    };
    const write = () => {
      const last = Math.max((presses.at(-1)?.[0] ?? 0) + 1, ms(Math.min(end(), reached)));
      field.value = [...written(), ...(isEnded ? [`${last / 1000} end`] : [])].join("\n");
    };

    // ---- What is seen -----------------------------------------------------------------------------
    const draw = () => {
      const whole = Math.max(0.1, (Number.isFinite(end()) ? end() : Math.max(reached, 60)) - start);
      const x = (at) => (((at / 1000 - start) / whole) * WIDE).toFixed(1);
      const y = (step) => best - step + 0.5;
      const line = presses
        .map(([at, step], i) => {
          const until = presses[i + 1]?.[0] ?? ms(Math.min(reached, end()));
          return step ? `M${x(at)} ${y(step)}H${x(until)}` : "";
        })
        .join("");
      find("line").setAttribute("d", line);
      find("now").setAttribute("d", `M${x(ms(Math.min(reached, end())))} 0V${best}`);
      const last = presses.at(-1)?.[1];
      for (const step of steps) step.classList.toggle("is-held", Number(step.dataset.step) === last);
      const length = Number.isFinite(end()) ? ` / ${clockTime(end() - start)}` : "";
      find("time").textContent = `${clockTime(Math.min(reached, end()) - start)}${length}`;
      find("count").textContent = words.sayCount.replace("#", presses.length);
      find("again").disabled = reached <= start;
    };
    const show = () => {
      let added = null;
      texts.forEach((each, i) => {
        const isHidden = shownFrom[i] > reached || (reached <= start && shownFrom[i] > -Infinity);
        if (each.hidden && !isHidden) added = each;
        each.hidden = isHidden;
      });
      // All of the new text, or its beginning.
      if (added) box.scrollTop = Math.min(added.offsetTop, box.scrollHeight - box.clientHeight);
    };
    const update = () => {
      write();
      draw();
      show();
      find("play-words").textContent = player.paused ? words.sayPlay : words.sayPause;
      toggle.disabled = isOver();
    };

    // ---- The recording goes on from where it was, and nowhere else -----------------------------------
    const follow = () => {
      if (player.seeking || !question.isConnected) return;
      reached = Math.max(reached, player.currentTime);
      if (!isEnded && (player.ended || reached >= end() - 0.05)) {
        isEnded = true;
        player.pause();
        update();
        screen.changed();
        screen.say(presses.length ? words.sayOver : words.sayOverUnrated);
      } else update();
    };
    const watch = () => {
      if (!question.isConnected) return;
      follow();
      if (!player.paused) requestAnimationFrame(watch);
    };
    const hold = () => {
      if (Math.abs(player.currentTime - reached) > 0.3) player.currentTime = reached;
    };
    player.addEventListener("play", () => {
      hold();
      watch();
    });
    player.addEventListener("timeupdate", follow);
    player.addEventListener("pause", () => {
      if (!question.isConnected) return; // another item is open by now
      update();
      if (!isEnded) screen.changed(); // how far it was heard
    });
    if (media) {
      media.controls = false;
      media.addEventListener("seeking", hold);
      media.addEventListener("ratechange", () => (media.playbackRate = 1));
      for (const name of ["loadedmetadata", "durationchange"]) media.addEventListener(name, update);
      media.addEventListener("loadedmetadata", hold);
      media.addEventListener("error", () => (find("gone").hidden = false));
      media.addEventListener("loadeddata", () => (find("gone").hidden = true));
      media.addEventListener("click", () => playOrPause());
    }
    const playOrPause = () => {
      if (media?.error) media.load();
      if (isOver()) screen.say(words.sayOver);
      else if (player.paused) player.play().catch(() => (find("gone").hidden = false));
      else player.pause();
    };

    const press = (step) => {
      if (isOver() || (reached <= start && player.paused)) {
        screen.say(isOver() ? words.sayOver : words.sayBegin);
        return;
      }
      const at = ms(Math.max(reached, player.currentTime));
      if (at <= (presses.at(-1)?.[0] ?? -1)) presses.pop();
      presses.push([Math.max(at, (presses.at(-1)?.[0] ?? -1) + 1), step, Date.now()]);
      update();
      screen.newAct();
      screen.changed();
      // A word at most: it is said into the recording.
      screen.say(player.paused ? words.sayPressed.replace("##", clockTime(at / 1000 - start)).replace("#", step) : String(step));
    };
    const begin = () => {
      player.pause();
      [presses, reached, isEnded] = [[], start, false];
      player.currentTime = start;
      update();
      screen.newAct();
      screen.changed();
      toggle.focus({ preventScroll: true });
    };

    for (const step of steps) {
      // The focus stays where the space bar plays and pauses.
      step.addEventListener("pointerdown", (event) => event.preventDefault());
      step.addEventListener("click", () => press(Number(step.dataset.step)));
    }
    toggle.addEventListener("click", playOrPause);
    find("again").addEventListener("click", begin);
    const onLeave = () => player.paused || screen.changed();
    window.addEventListener("pagehide", onLeave);

    for (const each of question.querySelectorAll("[data-scripted]")) each.hidden = false;
    find("strip").setAttribute("viewBox", `0 0 ${WIDE} ${best}`);
    for (let step = 1; step < best; step++) {
      const line = document.createElementNS(SVG, "path");
      line.setAttribute("d", `M0 ${step}H${WIDE}`);
      find("strip").prepend(line);
    }
    read(field.value);
    update();

    return {
      isAnswered: () => isEnded && presses.some(([, step]) => step),
      isOpen: () => false,
      focus: () => toggle.focus({ preventScroll: true }),
      answers: () =>
        reached > start ? [[field.name, field.value], ["reached", String(reached)]] : [],
      undoable: () => (presses.length ? [[field.name, written().join("\n")]] : []),
      restore: (answers) => {
        const kept = Object.fromEntries(answers);
        const wasEnded = isEnded;
        if ("reached" in kept) reached = Number(kept.reached);
        read(kept[field.name] ?? "");
        if (!("reached" in kept)) isEnded = wasEnded; // undone were presses alone
        hold();
        update();
      },
      choose: () => false,
      key: (event) => {
        const { key, target } = event;
        if (key === " " ? target.matches("a, button, summary, input") : key !== "l" && !/^[0-9]$/.test(key)) return false;
        if (event.repeat || Number(key) > best) return true;
        if (key === " " || key === "l") playOrPause();
        else press(Number(key));
        return true;
      },
      leave: () => {
        window.removeEventListener("pagehide", onLeave);
        onLeave();
        player.pause();
      },
    };
  };
})();
