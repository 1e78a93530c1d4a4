// The player at the source: keys and buttons, the stretch of the file that belongs to a segment, and
// the transcript, in which the words that sound are lit.
// Rows come and go, so everything is found when it is needed.
"use strict";
(() => {
  const RATES = [0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5, 2];
  // On the screen of a whole document there are several: the one that plays or was played last, while
  // it is in view, or else the first that is.
  let last = null;
  const isInView = (node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const player = () => {
    const all = [...document.querySelectorAll("[data-media] :is(audio, video)")];
    if (all.includes(last) && (!last.paused || isInView(last))) return last;
    return all.find(isInView) ?? all[0];
  };
  const place = (name, node) => Number(node.closest("[data-media]").dataset[name] || 0);

  // Slower or faster stays so from item to item.
  let rate = 1;
  const setRate = (step, node) => {
    const at = RATES.indexOf(rate) + step;
    if (at < 0 || at >= RATES.length) return;
    rate = RATES[at];
    node.playbackRate = rate;
    const shown = node.closest("[data-media]").querySelector(".media-rate");
    if (shown) shown.textContent = `×${rate}`;
  };

  const back = (node) => {
    node.currentTime = Math.max(place("start", node), node.currentTime - 3);
  };

  // ---- The transcript: captions of the stretch, with the times that they say -------------------
  const ENDS_SENTENCE = /[.!?…。！？؟।]["'”’»)\]]*$/;
  const cuesOf = (node) => {
    const [start, end] = [place("start", node), place("end", node) || Infinity];
    const cues = [...(node.querySelector("track")?.track.cues ?? [])];
    return cues.filter((cue) => cue.endTime > start && cue.startTime < end);
  };
  const inSeconds = (time) => time.split(":").reduce((all, part) => all * 60 + Number(part), 0);

  // [[time, words], …] of a cue: one, or one for each time within it, as <00:01.500> says it.
  const stretchesOf = (cue) => {
    const found = [[cue.startTime, ""]];
    const shown = cue.getCueAsHTML();
    const nodes = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_PROCESSING_INSTRUCTION);
    while (nodes.nextNode()) {
      const { nodeType, data } = nodes.currentNode;
      if (nodeType === Node.TEXT_NODE) found.at(-1)[1] += data;
      else found.push([inSeconds(data), ""]);
    }
    return found;
  };

  const written = new WeakMap(); // player → [[from, to, element], …]
  const transcriptOf = (node) => node.closest("[data-media]").querySelector(".transcript");
  const write = (node) => {
    const box = transcriptOf(node);
    // While captions are read, only their beginning is there.
    const isRead = node.querySelector("track")?.readyState === HTMLTrackElement.LOADED;
    const cues = cuesOf(node);
    if (!box || written.has(node) || !isRead || !cues.length) return;
    const words = [];
    for (const cue of cues)
      for (const [i, [from, text]] of stretchesOf(cue).entries()) {
        const element = document.createElement("span");
        element.textContent = text;
        words.push([from, stretchesOf(cue)[i + 1]?.[0] ?? cue.endTime, element]);
        box.append(...(i ? [] : [" "]), element);
      }
    written.set(node, words);
    box.hidden = false;
  };
  const light = (node) => {
    const now = node.currentTime;
    for (const [from, to, element] of written.get(node) ?? []) {
      const sounds = from <= now && now < to;
      if (sounds === element.classList.contains("sounds")) continue;
      element.classList.toggle("sounds", sounds);
      const box = element.parentElement;
      if (sounds) box.scrollTop = element.offsetTop - box.offsetTop - box.clientHeight / 2;
    }
  };

  // ---- A sentence again and again: that of the captions which sounds, or else the stretch ------
  let loop = null; // { node, start, end }
  const sentenceAt = (node) => {
    const [first, last] = [place("start", node), place("end", node)];
    const cues = cuesOf(node);
    let start = cues[0]?.startTime;
    for (const [i, cue] of cues.entries()) {
      const next = cues[i + 1];
      if (next && !ENDS_SENTENCE.test(cue.getCueAsHTML().textContent.trim())) continue;
      if (!next || node.currentTime < cue.endTime)
        return { node, start: Math.max(start, first), end: Math.min(cue.endTime, last || Infinity) };
      start = next.startTime;
    }
    return last ? { node, start: first, end: last } : null;
  };
  const sayLoop = () => {
    for (const button of document.querySelectorAll("[data-media-key=L]")) {
      const looped = loop?.node.closest("[data-media]");
      const isPressed = String(looped !== undefined && looped === button.closest("[data-media]"));
      if (button.getAttribute("aria-pressed") !== isPressed) button.setAttribute("aria-pressed", isPressed);
    }
  };
  const repeat = (node) => {
    loop = loop?.node === node ? null : sentenceAt(node);
    sayLoop();
    if (!loop) return;
    node.currentTime = loop.start;
    node.play().catch(() => {});
  };

  const toggle = (node) => {
    if (node.error) node.load();
    if (node.paused) node.play().catch(() => {}); // the browser's own controls then say why
    else node.pause();
  };

  const actions = {
    l: toggle,
    L: repeat,
    b: back,
    "<": (node) => setRate(-1, node),
    ">": (node) => setRate(1, node),
  };

  const act = (key) => {
    const node = player();
    if (!node || !Object.hasOwn(actions, key)) return false;
    actions[key](node);
    return true;
  };

  const isTyping = (node) =>
    node.matches?.("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])");

  // After judge.js: what a question took is not taken again.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (document.getElementById("use-keys")?.checked === false) return;
    if (act(event.key)) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-media-key]");
    if (button) act(button.dataset.mediaKey);
  });

  // These events do not rise, so they are taken on their way down.
  const on = (name, act_) =>
    document.addEventListener(name, (event) => event.target.closest?.("[data-media]") && act_(event.target), true);
  on("play", (node) => {
    const [start, end] = [place("start", node), place("end", node)];
    if (end && (node.currentTime >= end - 0.05 || node.currentTime < start)) node.currentTime = start;
    if (last !== node) last?.pause();
    if (loop?.node !== node) loop = null;
    last = node;
    node.playbackRate = rate;
    watch(node);
  });

  const bound = (node) => {
    const end = place("end", node);
    if (loop?.node === node && (node.currentTime >= loop.end || node.ended)) {
      node.currentTime = loop.start;
      if (node.paused) node.play().catch(() => {});
    } else if (end && node.currentTime >= end && !node.paused) node.pause();
    light(node);
  };
  // The event timeupdate comes four times a second, which is a word too late.
  const watch = (node) => {
    bound(node);
    if (!node.paused && node.isConnected) requestAnimationFrame(() => watch(node));
  };
  on("timeupdate", bound); // in a tab that is not seen
  on("ended", bound);

  // Of a row that a script puts in, the player was refused its file while it was in no page: once
  // more. After that it is not here, and the page says so until it is.
  const load = (node) => {
    if (node.load) node.load();
    else if (node.matches("track")) node.replaceWith(node.cloneNode());
    else node.src = node.getAttribute("src");
  };
  const notice = (node) => node.closest("[data-media]").querySelector(".media-gone");
  const setGone = (node, isGone) => {
    const words = notice(node);
    if (words.hidden !== isGone) return; // each change makes the observer below look again
    words.hidden = !isGone;
    words.textContent = isGone ? words.dataset.gone : "";
  };
  const loadAgain = (node) => {
    if ("again" in node.dataset) {
      if (!node.matches("track")) setGone(node, true);
    } else {
      node.dataset.again = "";
      load(node);
    }
  };
  on("error", loadAgain);
  for (const name of ["loadedmetadata", "load"]) on(name, (node) => setGone(node, false));
  on("load", (node) => node.matches("track") && write(node.parentElement));
  window.addEventListener("online", () => {
    for (const words of document.querySelectorAll(".media-gone:not([hidden])"))
      load(words.parentElement.querySelector("audio, video, img"));
  });

  const show = () => {
    const node = player();
    if (node?.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) loadAgain(node);
    for (const captions of document.querySelectorAll("[data-media] track")) {
      if (captions.track.mode === "disabled") captions.track.mode = "hidden"; // not shown, but read
      if (captions.readyState === HTMLTrackElement.ERROR) loadAgain(captions);
      write(captions.parentElement);
    }
    sayLoop();
    for (const keys of document.querySelectorAll(".media-keys[hidden]")) {
      keys.hidden = false;
      keys.querySelector(".media-rate").textContent = `×${rate}`;
    }
  };
  new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
  show();
})();
