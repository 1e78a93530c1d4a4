// A text in which words can be chosen: by mouse, by touch, by keys. Protocols that mark places in
// texts use it; it knows nothing of what a place is marked as.

// What a reader takes for a word or a character: neither ends inside a letter with its marks, an
// emoji, or half of a pair of UTF-16.
const segments = (text, granularity, language) => {
  if (!globalThis.Intl?.Segmenter) {
    const pattern = granularity === "word" ? /\S+/gu : /\P{M}\p{M}*/gu;
    return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    }));
  }
  let segmenter;
  try {
    segmenter = new Intl.Segmenter(language || undefined, { granularity });
  } catch {
    segmenter = new Intl.Segmenter(undefined, { granularity }); // no such language
  }
  return [...segmenter.segment(text)].map(({ segment, index }) => ({
    start: index,
    end: index + segment.length,
  }));
};

const unitsOf = (text, kind, language) =>
  kind === "character"
    ? segments(text, "grapheme", language)
    : segments(text, "word", language).filter(({ start, end }) => text.slice(start, end).trim());

// The server counts code points, scripts count units of UTF-16.
const counter = (text) => {
  const toPoint = new Uint32Array(text.length + 1);
  const fromPoint = [];
  let points = 0;
  for (let i = 0; i < text.length; points += 1) {
    fromPoint.push(i);
    const size = text.codePointAt(i) > 0xffff ? 2 : 1;
    toPoint.fill(points, i, i + size);
    i += size;
  }
  toPoint[text.length] = points;
  fromPoint.push(text.length);
  return { toPoint: (i) => toPoint[i], fromPoint: (point) => fromPoint[point] ?? -1 };
};

// element: its text is replaced by pieces. hooks: focused(), tapped(offset), chosen().
class SpanText {
  constructor(side, element, text, hooks) {
    this.side = side;
    this.element = element;
    this.text = text;
    this.hooks = hooks;
    this.language = element.closest("[lang]")?.lang;
    this.isRightToLeft = element.closest("[dir]")?.dir === "rtl";
    Object.assign(this, counter(text));
    this.setKind("word");
    this.clear();
    element.tabIndex = 0;
    element.classList.add("span-text");
    // Screen readers hand the keys of a list to the page; Orca says nothing of an application.
    element.setAttribute("role", "listbox");
    element.addEventListener("focus", () => hooks.focused(this));
    this.isTouched = false;
    element.addEventListener("pointerdown", ({ pointerType }) => {
      this.isReleased = false;
      this.isTouched = pointerType === "touch";
    });
    element.addEventListener("click", (event) => this.click(event));
    element.addEventListener("pointerup", (event) => this.release(event));
    // A sentence was gone to by other keys: the next arrow begins there.
    element.addEventListener("mteval:enter", ({ detail }) => {
      this.entry = this.units.findIndex((unit) => unit.end > detail.offset);
    });
    this.watch = () => this.follow();
    document.addEventListener("selectionchange", this.watch);
  }

  // Where the work is now; who follows the reading hears of it when the text is drawn.
  place(offset) {
    this.reading = offset;
  }

  leave() {
    document.removeEventListener("selectionchange", this.watch);
  }

  setKind(kind) {
    const range = this.units && this.range();
    this.kind = kind;
    this.units = unitsOf(this.text, kind, this.language);
    if (range) this.choose(range.start, range.end);
  }

  // As a reader counts them, whatever is chosen by.
  words() {
    this.wordUnits ??= unitsOf(this.text, "word", this.language);
    return this.wordUnits;
  }

  // Where sentences begin: `data-sentences` of the element, in code points. Without it the text
  // is one sentence.
  sentences() {
    const points = (this.element.dataset.sentences ?? "0").split(/\s+/).map(Number);
    const starts = points.map((point) => this.fromPoint(point)).filter((start) => start >= 0);
    const units = starts.map((start) => this.units.findIndex((unit) => unit.end > start));
    return [...new Set(units)].filter((unit) => unit >= 0);
  }

  clear() {
    this.entry = -1;
    this.anchor = this.cursor = -1;
    this.isTapped = false;
  }

  // What is chosen: the units from anchor to cursor.
  range() {
    if (this.cursor < 0 || !this.units.length) return null;
    const [first, last] = [this.anchor, this.cursor].sort((a, b) => a - b);
    return { start: this.units[first].start, end: this.units[last].end };
  }

  // Choose every unit that a range touches; whether there is one.
  choose(start, end) {
    const first = this.units.findIndex((unit) => unit.end > start);
    const last = this.units.findLastIndex((unit) => unit.start < end);
    if (first < 0 || last < first) return false;
    this.entry = -1;
    this.anchor = first;
    this.cursor = last;
    this.isTapped = false;
    return true;
  }

  // 1-based numbers of the first and the last unit of a range.
  numbers({ start, end }) {
    return [
      this.units.findIndex((unit) => unit.end > start) + 1,
      this.units.findLastIndex((unit) => unit.start < end) + 1,
    ];
  }

  // ---- Keys ----------------------------------------------------------------------------
  move(key, isExtending) {
    if (!this.units.length) return false;
    const last = this.units.length - 1;
    const entry = this.entry;
    this.entry = -1;
    if (entry >= 0 && ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(key)) {
      this.anchor = this.cursor = entry;
      this.isTapped = false;
      return true;
    }
    const at = this.cursor;
    const step = (key === "ArrowRight") !== this.isRightToLeft ? 1 : -1;
    let to;
    if (key === "Home") to = 0;
    else if (key === "End") to = last;
    else if (key === "ArrowUp" || key === "ArrowDown") to = this.byLine(key === "ArrowDown" ? 1 : -1);
    else to = at < 0 ? (step > 0 ? 0 : last) : at + step;
    this.cursor = Math.max(0, Math.min(last, to));
    if (!isExtending || this.anchor < 0) this.anchor = this.cursor;
    this.isTapped = false;
    return true;
  }

  // To the beginning of the next sentence, or of this one and then of the one before.
  moveBySentence(key, isExtending) {
    if (!this.units.length) return;
    const step = (key === "ArrowRight") !== this.isRightToLeft ? 1 : -1;
    const starts = this.sentences();
    if (this.entry >= 0) this.cursor = this.entry;
    this.entry = -1;
    const to =
      step > 0
        ? starts.find((start) => start > this.cursor)
        : starts.findLast((start) => start < this.cursor);
    this.cursor = to ?? (step > 0 ? this.units.length - 1 : 0);
    if (!isExtending || this.anchor < 0) this.anchor = this.cursor;
    this.isTapped = false;
  }

  byLine(step) {
    if (this.cursor < 0) return step > 0 ? 0 : this.units.length - 1;
    const boxes = this.units.map((unit) => this.boxes(unit)[0]);
    const here = boxes[this.cursor];
    let best = this.cursor;
    let bestDistance = Infinity;
    boxes.forEach((box, i) => {
      const lines = box && here && ((box.top - here.top) * step) / here.height;
      if (!lines || lines < 0.5) return;
      const distance = lines * 1e5 + Math.abs(box.left + box.width / 2 - here.left - here.width / 2);
      if (distance < bestDistance) [best, bestDistance] = [i, distance];
    });
    return best;
  }

  // ---- Mouse and touch -----------------------------------------------------------------
  boxes({ start, end }) {
    const range = document.createRange();
    range.setStart(...this.node(start));
    range.setEnd(...this.node(end, true));
    return [...range.getClientRects()];
  }

  // The text node and the place in it of an offset.
  node(offset, isEnd = false) {
    for (const { start, text } of this.pieces) {
      const within = offset - start;
      if (within < text.length || (isEnd && within === text.length)) return [text, within];
    }
    const last = this.pieces.at(-1);
    return [last.text, last.text.length];
  }

  offsetOf(node, place) {
    const piece = this.pieces.find(({ text }) => text === node || text.parentNode === node);
    if (!piece) return null;
    return piece.start + (piece.text === node ? place : place ? piece.text.length : 0);
  }

  unitAt(x, y) {
    return this.units.findIndex((unit) =>
      this.boxes(unit).some(
        (box) => x >= box.left - 2 && x <= box.right + 2 && y >= box.top - 3 && y <= box.bottom + 3,
      ),
    );
  }

  // The unit that is nearest to a point: of its line, or of the line that is nearest.
  nearest(x, y) {
    let best = -1;
    let least = Infinity;
    const away = (low, high, at) => Math.max(low - at, 0, at - high);
    this.units.forEach((unit, i) => {
      for (const box of this.boxes(unit)) {
        const distance = 100 * away(box.top, box.bottom, y) + away(box.left, box.right, x);
        if (distance < least) [best, least] = [i, distance];
      }
    });
    return best;
  }

  selected() {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.element)) return null;
    const inside = (node) => this.element.contains(node);
    if (!inside(selection.anchorNode) && !inside(selection.focusNode)) return null;
    const start = inside(range.startContainer)
      ? this.offsetOf(range.startContainer, range.startOffset)
      : 0;
    const end = inside(range.endContainer)
      ? this.offsetOf(range.endContainer, range.endOffset)
      : this.text.length;
    return start === null || end === null || start === end ? null : { start, end };
  }

  // A selection counts as it grows; it is left to the browser, whose handles move it on a phone.
  follow() {
    const range = this.selected();
    if (range && this.choose(range.start, range.end)) {
      this.isSelecting = true;
      this.hooks.chosen(this, false);
    }
  }

  release(event) {
    if (event.pointerType === "touch" || !this.selected()) return;
    document.getSelection().removeAllRanges();
    this.isReleased = true; // the click that follows belongs to it
    this.hooks.chosen(this, true);
  }

  click(event) {
    if (this.isReleased || this.selected()) {
      this.isReleased = false;
      return;
    }
    this.isSelecting = false;
    const unit = this.unitAt(event.clientX, event.clientY);
    if (unit >= 0) this.hooks.tapped(this, unit, event.shiftKey);
  }

  // A word was tapped: the first one begins a choice, the second one ends it.
  tap(unit, isExtending) {
    this.entry = -1;
    if (this.cursor >= 0 && (isExtending || (this.isTapped && unit !== this.cursor))) {
      this.cursor = unit;
      this.isTapped = !isExtending && this.isTapped;
    } else if (this.isTapped && unit === this.cursor) {
      this.clear();
    } else {
      this.anchor = this.cursor = unit;
      this.isTapped = true;
    }
  }

  // ---- Drawing -------------------------------------------------------------------------
  // marks: {start, end, classes, number, label} in any order, also overlapping.
  draw(marks) {
    // In a comparison table each sentence stands in an element of its own.
    const cells = window.mtevalComparison?.cellsOf(this.element);
    const places = new Set([0, this.text.length, ...(cells ?? []).map(([, end]) => end)]);
    for (const { start, end } of marks) places.add(start).add(end);
    const sorted = [...places].sort((a, b) => a - b);
    this.pieces = [];
    const nodes = [];
    for (let i = 0; i + 1 < sorted.length || i === 0; i += 1) {
      const [start, end] = [sorted[i], sorted[i + 1] ?? sorted[i]];
      const here = marks.filter((mark) => mark.start < end && mark.end > start);
      const node = document.createElement("span");
      const text = document.createTextNode(this.text.slice(start, end));
      node.append(text);
      if (text.data.trim()) {
        node.setAttribute("role", "option");
        node.setAttribute("aria-selected", here.some(({ classes }) => classes.includes("is-picked")));
      }
      node.className = ["piece", ...here.flatMap(({ classes }) => classes)].join(" ");
      if (here.filter(({ number }) => number).length > 1) node.classList.add("is-double");
      const ends = here.filter((mark) => mark.number && mark.end === end);
      if (ends.length) node.dataset.ends = ends.map(({ number }) => number).join(" ");
      const labeled = here.find((mark) => mark.label && mark.start === start);
      if (labeled) node.dataset.label = labeled.label;
      this.pieces.push({ start, text });
      nodes.push(node);
    }
    this.element.replaceChildren(...(cells ? this.inCells(cells, nodes) : nodes));
    this.tell();
  }

  inCells(cells, nodes) {
    return cells.map(([start, end, ...place]) => {
      const cell = window.mtevalComparison.cellFor(...place);
      cell.append(...nodes.filter((_, i) => this.pieces[i].start >= start && this.pieces[i].start < end));
      return cell;
    });
  }

  // For what follows the annotator (reading.js).
  tell() {
    if (this.reading === undefined) return;
    const detail = { offset: this.reading };
    this.reading = undefined;
    this.element.dispatchEvent(new CustomEvent("mteval:place", { bubbles: true, detail }));
  }
}

export { SpanText };
