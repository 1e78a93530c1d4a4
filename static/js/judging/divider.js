// How wide the source is beside the translations, and its column in a comparison table: a divider to
// drag, with keys; a double click resets it. Kept with the person's settings; what
// the site does not know yet holds on this device.
"use strict";
(() => {
  const WIDE = matchMedia("(min-width: 64rem)"); // as in divider.css
  // In percent: of the window without the gap, and of the column of a translation. As in the settings.
  const PANE = { name: "source_pane", least: 20, most: 70, usual: 42, step: 2 };
  const COLUMN = { name: "source_column", least: 50, most: 300, usual: 100, step: 10 };
  const { owner, sourcePane, sourceColumn } = document.body.dataset;
  const form = document.getElementById("answer");
  const KEPT = `mteval-widths-${owner ?? "trial"}`;
  const store = (action) => {
    try {
      return action(owner ? localStorage : sessionStorage);
    } catch {
      return null; // storage may be forbidden; the divider works all the same
    }
  };
  // {source_pane, source_column, isTold}: "" as the site has it
  const kept = JSON.parse(store((s) => s.getItem(KEPT)) ?? "null");
  const isOld = "held" in document.body.dataset; // the worker handed the page out
  const widths =
    kept && (isOld || !owner || !kept.isTold)
      ? kept
      : { source_pane: sourcePane ?? "", source_column: sourceColumn ?? "", isTold: true };
  const keep = () => store((s) => s.setItem(KEPT, JSON.stringify(widths)));

  const tell = async () => {
    if (!form.dataset.widths) return;
    const { source_pane, source_column } = widths;
    const data = new FormData();
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
    data.set("csrfmiddlewaretoken", token ?? form.elements.csrfmiddlewaretoken.value);
    data.set("source_pane", source_pane);
    data.set("source_column", source_column);
    try {
      const options = { method: "POST", body: data, redirect: "manual" };
      const { status } = await fetch(form.dataset.widths, options);
      const isNews = widths.source_pane !== source_pane || widths.source_column !== source_column;
      widths.isTold = status === 204 && !isNews;
      keep();
    } catch {
      // The site cannot be reached; this device knows.
    }
  };

  // ---- Drawing -------------------------------------------------------------------------------
  const stage = () => document.getElementById("stage");
  const divider = () => stage().querySelector(".divider");
  const kind = () => (divider().parentElement.matches(".comparison") ? COLUMN : PANE);
  const widthOf = (each) => Number(widths[each.name]) || each.usual;

  const draw = () => {
    const root = document.documentElement.style;
    const { source_pane: pane, source_column: column } = widths;
    root.setProperty("--source-pane", pane ? `${pane}fr` : "");
    root.setProperty("--target-pane", pane ? `${100 - pane}fr` : "");
    root.setProperty("--source-column", column ? `${column / 100}fr` : "");
    const handle = divider();
    if (!handle) return;
    const each = kind();
    handle.setAttribute("aria-valuemin", each.least);
    handle.setAttribute("aria-valuemax", each.most);
    handle.setAttribute("aria-valuenow", widthOf(each));
    handle.setAttribute("aria-valuetext", `${widthOf(each)} %`);
  };

  let timer = null;
  const CALM_MS = 600; // of several keys in a row only the last is sent
  const set = (wanted) => {
    const each = kind();
    const width = wanted === "" ? "" : Math.round(Math.max(each.least, Math.min(each.most, wanted)));
    widths[each.name] = width;
    widths.isTold = false;
    keep();
    draw();
    clearTimeout(timer);
    timer = setTimeout(tell, CALM_MS);
  };

  // ---- Keys and pointers ----------------------------------------------------------------------
  const isRightToLeft = () => getComputedStyle(stage()).direction === "rtl";

  // The width that puts the divider's middle at a place across the window.
  const widthAt = (x) => {
    const grid = divider().parentElement;
    const box = (part) => part.getBoundingClientRect();
    const gap = parseFloat(getComputedStyle(grid).columnGap);
    const columns =
      kind() === PANE
        ? [stage().querySelector(".given"), stage().querySelector(".judged")]
        : [...stage().querySelectorAll(".comparison > .given > details, .comparison > .output")];
    const [source, ...others] = columns.map(box);
    const own = (isRightToLeft() ? source.right - x : x - source.left) - gap / 2;
    if (kind() === PANE) return (100 * own) / (source.width + others[0].width);
    // What is folded keeps its width; the others share the rest.
    const open = others.filter((_, i) => !columns[i + 1].matches("details:not([open])"));
    const all = source.width + open.reduce((sum, { width }) => sum + width, 0);
    return own < all ? (100 * own * open.length) / (all - own) : COLUMN.most;
  };

  const arm = (handle) => {
    handle.addEventListener("keydown", (event) => {
      const each = kind();
      const step = isRightToLeft() ? -each.step : each.step;
      const KEYS = {
        ArrowRight: () => widthOf(each) + step,
        ArrowLeft: () => widthOf(each) - step,
        Home: () => each.least,
        End: () => each.most,
        Enter: () => "",
      };
      if (!KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation(); // they mark words and answer elsewhere
      set(KEYS[event.key]());
    });
    let offset = 0; // of the pointer from the middle
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      const { left, right } = handle.getBoundingClientRect();
      offset = event.clientX - (left + right) / 2;
    });
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId) && event.movementX !== 0)
        set(widthAt(event.clientX - offset));
    });
    handle.addEventListener("dblclick", () => set(""));
  };

  // The divider stands after the source, wherever that is.
  const place = () => {
    const handle = divider();
    if (!handle) return;
    stage().querySelector(".given").after(handle);
    handle.hidden = false;
    draw();
  };
  document.addEventListener("mteval:open", () => {
    if (divider()) arm(divider());
    place();
  });
  document.addEventListener("mteval:compared", place);
  WIDE.addEventListener("change", () => queueMicrotask(place)); // once the table is arranged anew
  if (!widths.isTold) tell();
  else if (owner && !isOld) keep();
  draw();
})();
