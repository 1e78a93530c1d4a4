// The player at the source: keys and buttons, and the stretch of the file that belongs to a segment.
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

  const back = (seconds, node) => {
    node.currentTime = Math.max(place("start", node), node.currentTime - seconds);
  };

  const toggle = (node) => {
    if (node.error) node.load();
    if (node.paused) node.play().catch(() => {}); // the browser's own controls then say why
    else node.pause();
  };

  const actions = {
    l: toggle,
    b: (node) => back(2, node),
    B: (node) => back(5, node),
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
    last = node;
    node.playbackRate = rate;
    if (end) watch(node, end);
  });

  // The event timeupdate comes four times a second, which is a word too late.
  const watch = (node, end) => {
    if (node.currentTime >= end) node.pause();
    else if (!node.paused && node.isConnected) requestAnimationFrame(() => watch(node, end));
  };
  on("timeupdate", (node) => {
    const end = place("end", node);
    if (end && node.currentTime >= end && !node.paused) node.pause(); // in a tab that is not seen
  });

  // Of a row that a script puts in, the player was refused its file while it was in no page: once
  // more. After that it is not here, and the page says so until it is.
  const load = (node) => {
    if (node.load) node.load();
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
    if (node.matches("track")) return;
    if ("again" in node.dataset) setGone(node, true);
    else {
      node.dataset.again = "";
      load(node);
    }
  };
  on("error", loadAgain);
  for (const name of ["loadedmetadata", "load"]) on(name, (node) => setGone(node, false));
  window.addEventListener("online", () => {
    for (const words of document.querySelectorAll(".media-gone:not([hidden])"))
      load(words.parentElement.querySelector("audio, video, img"));
  });

  const show = () => {
    const node = player();
    if (node?.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) loadAgain(node);
    for (const keys of document.querySelectorAll(".media-keys[hidden]")) {
      keys.hidden = false;
      keys.querySelector(".media-rate").textContent = `×${rate}`;
    }
  };
  new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
  show();
})();
