// Keys of one's own: a letter that is pressed stands for the usual one of its command before any other
// script sees it, and is shown in its place. `data-own-keys`: "ju xq", the usual letter and one's own.
"use strict";
(() => {
  const pairs = (document.body.dataset.ownKeys ?? "").split(" ").filter(Boolean).map((pair) => [...pair]);
  if (!pairs.length) return;
  const usual = pairs.map(([command]) => command);
  const own = pairs.map(([, key]) => key);
  const meant = new Map(pairs.map(([command, key]) => [key, command])); // pressed → usual
  // A letter that nothing has any more stands for one that was taken, such as that of a mark.
  const free = usual.filter((key) => !own.includes(key));
  own.filter((key) => !usual.includes(key)).forEach((key, i) => meant.set(free[i], key));
  const shown = new Map([...meant].map(([pressed, command]) => [command, pressed]));

  const TYPED = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";
  const isCategory = () => document.querySelector(".spans.is-current .is-choosing");
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.target.matches?.(TYPED) || isCategory()) return;
      const key = event.key.toLowerCase();
      const command = meant.get(key);
      if (!command) return;
      const value = event.key === key ? command : command.toUpperCase();
      Object.defineProperty(event, "key", { value });
      Object.defineProperty(event, "code", { value: `Key${command.toUpperCase()}` });
    },
    true,
  );

  // Letters of categories are those of the list, and Ctrl+z is the same for all.
  const show = (node) => {
    if ("own" in node.dataset || "fixed" in node.dataset || node.closest(".is-choosing .span-kinds")) return;
    const key = shown.get(node.textContent.trim().at(-1));
    node.dataset.own = "";
    if (key && /^⇧?.$/u.test(node.textContent.trim())) node.textContent = node.textContent.trim().slice(0, -1) + key;
  };
  const within = (root) => root.querySelectorAll?.("kbd").forEach(show);
  within(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (node.nodeName === "KBD") show(node);
        else within(node);
      }
  }).observe(document.body, { childList: true, subtree: true });
})();
