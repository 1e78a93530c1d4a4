// The text that a translator looks at: shown where it stands, also in what a script writes.
"use strict";
{
  const MARK = /\ue000[0-9a-f]{10}\ue001([^\ue000-\ue002]*)\ue002/;
  const LEFT = /\ue000[0-9a-f]{10}\ue001|[\ue000-\ue002]/g;

  // A text that a script wrote comes with its marks: they become an element.
  const light = (node) => {
    const found = MARK.exec(node.data);
    if (!found) {
      if (node.data.search(LEFT) >= 0) node.data = node.data.replace(LEFT, "");
      return;
    }
    const rest = node.splitText(found.index);
    rest.data = rest.data.slice(found[0].length);
    const mark = document.createElement("mark");
    mark.className = "lit";
    mark.textContent = found[1];
    rest.before(mark);
    light(rest);
  };

  const clean = (element) => {
    for (const { name, value } of [...element.attributes]) {
      if (name.startsWith("data-") || value.search(LEFT) < 0) continue;
      element.setAttribute(name, value.replace(LEFT, ""));
      element.dataset.lit = "";
    }
  };

  const look = (root) => {
    if (root.nodeType === Node.TEXT_NODE) return light(root);
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    clean(root);
    root.querySelectorAll("*").forEach(clean);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.forEach(light);
  };

  // What appears only at times is opened, so that it can be seen.
  const reveal = (element) => {
    for (let each = element; each; each = each.parentElement) {
      if (each.hidden) each.hidden = false;
      if (each.matches("details")) each.open = true;
      if (each.matches("dialog") && !each.open) each.show();
    }
    element.scrollIntoView({ block: "center" });
  };

  look(document.body);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "childList") addedNodes.forEach(look);
      else if (type === "characterData") light(target);
      else clean(target);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });

  window.addEventListener("load", () => {
    const lit = document.querySelector("mark.lit") ?? document.querySelector("body [data-lit]");
    if (lit) reveal(lit);
  });
  // Links lead out of the frame, to pages that may not be framed.
  document.addEventListener("click", (event) => event.target.closest("a") && event.preventDefault(), true);
}
