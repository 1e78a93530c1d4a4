// Marking errors: what is marked, what is said about it, and the hidden field that the server reads.
// The parts of the widget (spans.js has the list) share one object `m`; each adds its functions.

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

// What an error is, and the words for it.
const said = (m) => {
  const { words, rules, config, texts } = m;
  const severity = (slug) => m.severities.find((each) => each.slug === slug);
  const isWhole = (error) => Boolean(rules.nonTranslation) && error.category === rules.nonTranslation;
  // What is said of the whole translation: its category is its name.
  const isMark = (error) => error.side === "output";
  const isReady = (error) => !m.hasCategories || Boolean(error.category);
  const markName = (error) => `[${rules.marks[error.category] ?? error.category}]`;
  const placeOf = (text, range) => {
    const [from, to] = text.numbers(range);
    const plural = `${text.kind}s`;
    // Isolated, so that its direction does not turn the words around it.
    const marked = `\u2068${text.text.slice(range.start, range.end)}\u2069`;
    const values = { text: marked, from, to, total: text.units.length };
    return fill(from === to ? words[text.kind] : words[plural], values);
  };
  const describe = (error) => {
    if (isWhole(error)) return words.whole;
    if (isMark(error)) {
      const values = { severity: severity(error.severity).name, place: markName(error) };
      return fill(words.marked, values);
    }
    const text = texts[error.side];
    let place = error.side === "missing" || !text ? words.missing : placeOf(text, error);
    if (error.side === "source") place = `${words.source}: ${place}`;
    const category = m.categories[error.category];
    const marked = fill(words.marked, { severity: severity(error.severity).name, place });
    return category ? fill(words.categorized, { marked, category }) : marked;
  };
  // Where an error comes from: "" for one's own.
  const origin = (error) => {
    const from =
      error.prefill && config.prefills.find(({ prefill }) => prefill === error.prefill);
    if (!from) return "";
    const same = ["side", "start", "end", "severity", "category"].every(
      (key) => from[key] === error[key],
    );
    return same ? words.suggested : words.changed;
  };
  const spansAt = (text, start, end) =>
    m.errors.filter(
      (error) => error.side === text.side && error.start < end && error.end > start,
    );
  return { fill, severity, isWhole, isMark, isReady, markName, placeOf, describe, origin, spansAt };
};

// To and from the hidden field, which counts code points.
const field = (m) => {
  const { rules, texts, held } = m;
  const placed = (error, convert) => {
    const text = texts[error.side];
    return text
      ? { start: convert(text, error.start), end: convert(text, error.end) }
      : { start: 0, end: 0 };
  };
  // One order of the names, so that the same errors are the same text.
  const inPoints = (error) => {
    const { start, end } = placed(error, (text, place) => text.toPoint(place));
    const { side, severity, category, prefill } = error;
    return { side, start, end, severity, category, prefill };
  };
  const fromPoints = (error) => {
    const places = placed(error, (text, point) => text.fromPoint(point));
    const kept = { prefill: "", category: "", ...error, ...places };
    return kept.start >= 0 && kept.end >= 0 && m.severity(kept.severity) ? kept : null;
  };
  const read = (value) => {
    let rows = null;
    try {
      rows = JSON.parse(value || "null");
    } catch {
      // what a broken page left: nothing
    }
    m.errors = Array.isArray(rows) ? rows.map(fromPoints).filter(Boolean) : [];
    m.isNone = !rules.score && Array.isArray(rows) && rows.length === 0;
    m.active = null;
  };
  const write = () => {
    const isSaid = m.errors.length || m.isNone || rules.score;
    held.value = isSaid ? JSON.stringify(m.errors.map(inPoints)) : "";
  };
  return { fromPoints, read, write };
};

export { said, field };
