// Reaching a word from afar: a field takes its first letters, in whatever script and by whatever
// input method; the places that begin so are marked, each with a digit or a capital that leads to it.
// Upper and lower case, diacritics and the shape of quotation marks make no difference.

// Points of Hebrew and of Arabic, and what Unicode splits off Latin, Greek and Cyrillic letters;
// the vowel signs of India and of Thailand are letters to whoever types them.
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;
const ALIKE = {
  ß: "ss", ø: "o", đ: "d", ł: "l", æ: "ae", œ: "oe", ı: "i",
  "‘": "'", "’": "'", "‚": "'", ʼ: "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
  "–": "-", "—": "-", "‑": "-",
};
const LABELS = [..."123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

const folded = (letter) =>
  [...letter.normalize("NFKD").replace(MARKS, "").toLowerCase()]
    .map((each) => ALIKE[each] ?? each)
    .join("");

// A text as it is compared, and for each character of it the place in the text that it is from.
// Space is one blank between letters and nothing beside punctuation: nobody knows which is there.
const fold = (text) => {
  let out = "";
  const from = [];
  let at = 0;
  for (const letter of text) {
    const isBlank = /\s/.test(letter);
    const next = text.slice(at + letter.length).match(/\S/u)?.[0] ?? "";
    const isBetween = /[\p{L}\p{N}\p{M}]$/u.test(out) && /[\p{L}\p{N}\p{M}]/u.test(next);
    const added = isBlank ? (isBetween ? " " : "") : folded(letter);
    for (let i = 0; i < added.length; i += 1) from.push(at);
    out += added;
    at += letter.length;
  }
  from.push(text.length);
  return { out, from };
};

// Where a query begins words, in the order of reading from a place on; if nowhere, where it
// occurs at all: what a word of Chinese is, readers do not agree on.
const hitsOf = (text, query, place) => {
  const { out, from } = (text.folded ??= fold(text.text));
  const starts = new Set(text.words().map(({ start }) => start));
  const all = [];
  for (let at = out.indexOf(query); at >= 0; at = out.indexOf(query, at + 1)) {
    const end = at + query.length;
    all.push({ start: from[at], end: Math.max(from[end], from[end - 1] + 1), next: from[end] });
  }
  const words = all.filter(({ start }) => starts.has(start));
  const hits = words.length ? words : all;
  const first = hits.findIndex(({ start }) => start >= place);
  return first > 0 ? [...hits.slice(first), ...hits.slice(0, first)] : hits;
};

// Each hit gets a key; not a capital that would go on with what is typed.
const label = (hits, text) => {
  const next = new Set(hits.map((hit) => text.text[hit.next]));
  const free = LABELS.filter((key) => !next.has(key) || /\d/.test(key));
  hits.forEach((hit, i) => {
    hit.label = hits.length > 1 ? (free[i] ?? "") : "";
  });
  return hits;
};

// The digit or the capital of a key, whatever the layout of the keyboard has there.
const labelOf = ({ key, code, shiftKey }) => {
  if (/^\p{Nd}$/u.test(key)) return /^[1-9]$/.test(key) ? key : (code.match(/^(?:Digit|Numpad)([1-9])$/)?.[1] ?? "");
  if (!shiftKey) return "";
  return /^[A-Z]$/.test(key) ? key : (code.match(/^Key([A-Z])$/)?.[1] ?? "");
};

const find = (m) => {
  const { question, words } = m;
  const field = question.querySelector("[data-part=find]");
  const count = question.querySelector("[data-part=found]");
  let before = null;

  const tell = (said) => {
    count.textContent = said ? m.fill(words.hits, { n: m.hits.length }) : "";
    m.say(said);
  };
  const show = (at) => {
    const text = m.current;
    m.hitAt = at;
    const hit = m.hits[at];
    text.choose(hit.start, hit.end);
    text.place(hit.start);
    tell(`${m.fill(words.hits, { n: m.hits.length })}: ${m.placeOf(text, text.range())}`);
    m.keepInSight();
  };
  const update = (isComposing = false) => {
    const text = m.current;
    const query = fold(field.value.trimStart()).out;
    m.active = query ? null : before.active;
    m.hits = query ? label(hitsOf(text, query, before.place), text) : [];
    if (m.hits.length) return show(0);
    [text.anchor, text.cursor] = [before.anchor, before.cursor];
    return tell(query && !isComposing ? m.fill(words.notFound, { text: field.value }) : "");
  };
  const open = () => {
    if (m.active) m.current.choose(m.active.start, m.active.end);
    const { anchor, cursor, units } = m.current;
    // An error stays chosen until something is typed: Tab may only be passing through.
    before = { anchor, cursor, place: units[cursor]?.start ?? 0, active: m.active };
    m.hits = [];
    field.value = "";
    m.enter(m.current);
    field.focus({ preventScroll: true });
  };
  const close = () => {
    before = null;
    m.hits = [];
    field.value = "";
    count.textContent = "";
  };
  // Back in its text, which was read out before: not all of it once more, but the place that was found.
  const hush = () => {
    const { element } = m.current;
    const full = element.getAttribute("aria-label");
    const how = element.getAttribute("aria-describedby");
    element.setAttribute("aria-label", m.titleOf(m.current));
    element.removeAttribute("aria-describedby");
    const restore = () => {
      element.setAttribute("aria-label", full);
      element.setAttribute("aria-describedby", how);
    };
    element.addEventListener("blur", restore, { once: true });
  };
  const take = () => {
    const isFound = m.hits.length > 0;
    close();
    hush();
    if (isFound) m.arrived(false);
    else m.focus();
  };
  const cancel = () => {
    const { anchor, cursor, active } = before;
    close();
    m.active = active;
    [m.current.anchor, m.current.cursor] = [anchor, cursor];
    hush();
    m.focus();
    m.say(words.text);
  };
  const step = (by) => {
    const n = m.hits.length;
    if (n) show((m.hitAt + by + n) % n);
  };
  const pick = (event) => {
    if (!/\P{Nd}/u.test(field.value.trim())) return false; // a number is being typed
    const at = m.hits.findIndex((hit) => hit.label && hit.label === labelOf(event));
    if (at < 0) return false;
    show(at);
    take();
    return true;
  };
  const keys = {
    Enter: take,
    Escape: cancel,
    "/": () => step(1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
  };

  field.addEventListener("focus", () => {
    if (!before && m.current?.units.length) open();
  });
  field.addEventListener("input", (event) => {
    if (before) update(event.isComposing);
  });
  field.addEventListener("compositionend", () => {
    if (before) update();
  });
  field.addEventListener("change", (event) => event.stopPropagation()); // no answer
  field.addEventListener("blur", ({ relatedTarget }) => {
    if (!before || !document.hasFocus()) return;
    const isUsed = field.value !== "";
    close();
    // A press in the text draws by itself, when the word under the mouse was announced; the tools stay,
    // as one of them may be what gets the focus.
    if (isUsed && relatedTarget !== m.current.element) m.drawText(m.current);
  });
  field.addEventListener("keydown", (event) => {
    if (!before || event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (keys[event.key]) keys[event.key]();
    else if (!pick(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    hits: [],
    hitAt: 0,
    finding: () => {
      if (!m.current?.units.length) return false;
      open();
      return true;
    },
  };
};

export { find };
