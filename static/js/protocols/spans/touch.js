// Marking errors by touch: the tools are a row above the dock, what is marked never lies under
// anything, and handles stretch it. Keys have their own way for all of this.

const SIZE = 44; // px of a handle, as in spans.css
const GAP = 8; // px between a word and what it was moved out from

// What stands still over a text while it scrolls.
const pinned = (node) => {
  for (let each = node; each; each = each.parentElement) {
    if (["sticky", "fixed"].includes(getComputedStyle(each).position)) return each;
  }
  return null;
};

// Scroll a place of a text out from under what covers it, and no further.
const uncover = (text, range) => {
  const scroller = document.scrollingElement;
  for (let tries = 0; tries < 3; tries += 1) {
    const box = text.boxes(range).at(-1);
    if (!box) return;
    const y = (box.top + box.bottom) / 2;
    if (y < 0 || y > window.innerHeight) {
      scroller.scrollTop += y - window.innerHeight / 2;
      continue;
    }
    const x = Math.min(Math.max(box.left + box.width / 2, 0), window.innerWidth - 1);
    const covers = [box.top + 1, box.bottom + SIZE].map((height) => {
      const hit = document.elementFromPoint(x, Math.min(height, window.innerHeight - 1));
      return hit && !text.element.contains(hit) && pinned(hit);
    });
    const cover = covers.find((each) => each && !each.contains(text.element));
    if (!cover) return;
    const { top, bottom } = cover.getBoundingClientRect();
    const isAbove = top + bottom < window.innerHeight;
    scroller.scrollTop += isAbove ? box.top - bottom - GAP : box.bottom + SIZE + GAP - top;
  }
};

const touch = (m) => {
  const handles = new Map(); // side of the range → its node
  let holding = null;

  // What the handles stretch: the active error, or what is chosen.
  const stretched = () => {
    const text = m.active ? m.texts[m.active.side] : m.current;
    const range = m.active && m.isWhole(m.active) ? null : (m.active ?? text?.range());
    return text && range && text.isTouched ? { text, range } : null;
  };
  const place = (side, { text, range }) => {
    const node = handles.get(side);
    const holder = text.element.parentElement;
    if (node.parentElement !== holder) holder.append(node);
    holder.classList.add("span-holder");
    const boxes = text.boxes(range);
    const isStart = side === "start";
    const box = isStart ? boxes[0] : boxes.at(-1);
    // Before and above what is marked, after and below it: on its lines there is nothing.
    const isLeft = isStart !== text.isRightToLeft;
    const left = isLeft ? box.left - SIZE + GAP : box.right - GAP;
    const within = Math.max(0, Math.min(document.documentElement.clientWidth - SIZE, left));
    const frame = holder.getBoundingClientRect();
    node.style.left = `${within - frame.left - holder.clientLeft + holder.scrollLeft}px`;
    const top = isStart ? box.top - SIZE : box.bottom;
    node.style.top = `${top - frame.top - holder.clientTop + holder.scrollTop}px`;
    node.classList.toggle("is-left", isLeft);
    node.hidden = false;
  };
  const drawHandles = () => {
    const found = stretched();
    for (const [side, node] of handles) {
      if (found) place(side, found);
      else node.hidden = true;
    }
  };

  // A finger hides what it touches: what counts is the word that the handle hangs on.
  const begin = (side, event) => {
    const found = stretched();
    if (!found) return;
    const boxes = found.text.boxes(found.range);
    const box = side === "start" ? boxes[0] : boxes.at(-1);
    const isLeft = (side === "start") !== found.text.isRightToLeft;
    const x = isLeft ? box.left + 2 : box.right - 2;
    const y = (box.top + box.bottom) / 2;
    holding = { side, dx: event.clientX - x, dy: event.clientY - y, isMoved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = (event) => {
    const found = holding && stretched();
    if (!found) return;
    const { text, range } = found;
    const unit = text.nearest(event.clientX - holding.dx, event.clientY - holding.dy);
    const [first, last] = text.numbers(range).map((number) => number - 1);
    const isStart = holding.side === "start";
    if (unit < 0 || unit === (isStart ? first : last)) return;
    holding.isMoved = true;
    if (isStart) m.stretch(text, Math.min(unit, last), last);
    else m.stretch(text, first, Math.max(unit, first));
  };
  // A tap on a handle is one on the word beneath.
  const end = (event) => {
    const found = holding && stretched();
    const isTap = found && !holding.isMoved && event.type === "pointerup";
    holding = null;
    if (!isTap) return;
    const unit = found.text.unitAt(event.clientX, event.clientY);
    if (unit >= 0) found.text.hooks.tapped(found.text, unit, false);
  };
  const open = (side) => {
    const node = document.createElement("span");
    node.className = "span-handle";
    node.dataset.end = side;
    node.setAttribute("aria-hidden", "true"); // there are buttons for it
    node.hidden = true;
    node.addEventListener("pointerdown", (event) => begin(side, event));
    node.addEventListener("pointermove", drag);
    for (const name of ["pointerup", "pointercancel"]) node.addEventListener(name, end);
    handles.set(side, node);
  };
  open("start");
  open("end");

  const keepInSight = () => {
    const found = stretched();
    if (found) return uncover(found.text, found.range);
    m.current?.element.querySelector(".is-cursor")?.scrollIntoView({ block: "nearest" });
  };
  // The tools of a phone stand in a row that scrolls: by Tab, too, all of a button comes into it.
  const tools = m.question.querySelector(".span-tools");
  tools.addEventListener("focusin", ({ target }) => {
    if (!target.matches(":focus-visible") || tools.scrollWidth <= tools.clientWidth) return;
    const row = tools.getBoundingClientRect();
    const box = target.getBoundingClientRect();
    const last = tools.querySelector("[data-act=delete]"); // stays at the end
    const isLeftToRight = getComputedStyle(tools).direction === "ltr";
    const width = target === last ? 0 : last.offsetWidth;
    const [left, right] = [row.left + (isLeftToRight ? 0 : width), row.right - (isLeftToRight ? width : 0)];
    if (box.left < left) tools.scrollLeft += box.left - left - GAP;
    else if (box.right > right) tools.scrollLeft += box.right - right + GAP;
  });
  const observer = window.ResizeObserver && new ResizeObserver(drawHandles);
  observer?.observe(m.question);
  const letGo = () => {
    observer?.disconnect();
    for (const node of handles.values()) node.remove();
  };
  return { drawHandles, keepInSight, letGo };
};

export { touch };
