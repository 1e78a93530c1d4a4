// Marking errors: what can be done with them, by whatever key or button.

const onErrors = (m) => {
  const { words, rules } = m;
  const tooMany = () => m.refuse(m.fill(words.tooMany, { most: rules.most }));
  const activate = (error) => {
    m.active = error;
    m.isChoosing = false;
    const text = m.texts[error.side];
    if (text) {
      m.enter(text);
      text.choose(error.start, error.end); // arrows go on from there
      text.place(error.start);
    }
    const from = m.origin(error);
    m.say(from ? `${m.describe(error)} (${from})` : m.describe(error));
  };
  const add = (error) => {
    const same = m.errors.find((each) =>
      ["side", "start", "end", "category"].every((key) => each[key] === error[key]),
    );
    if (same) {
      m.active = same;
      same.severity = error.severity;
    } else if (m.errors.length >= rules.most) {
      return tooMany();
    } else {
      m.errors = [...m.errors.filter((each) => !m.isWhole(each)), error];
      m.active = error;
      m.isNone = false;
    }
    document.getSelection().removeAllRanges();
    if (m.current) m.current.isTapped = false;
    m.texts[error.side]?.place(error.start); // what is moved clear of the tools stays the place
    m.changed(m.describe(m.active));
    if (m.select && !m.isReady(m.active)) m.choosing();
  };
  const remove = (error) => {
    m.errors = m.errors.filter((each) => each !== error);
    m.active = null;
    if (m.current?.isTouched) m.current.clear(); // keys go on from there, a finger anywhere
    m.changed(m.fill(words.deleted, { text: m.describe(error) }));
  };
  const restorePrefill = (error) => {
    if (m.errors.length >= rules.most) return tooMany();
    m.errors = [...m.errors, error];
    m.active = error;
    m.texts[error.side]?.choose(error.start, error.end);
    m.changed(m.fill(words.restored, { text: m.describe(error) }));
  };
  const clash = (error, values) =>
    m.errors.some(
      (each) =>
        each !== error &&
        ["side", "start", "end", "category"].every(
          (key) => each[key] === (values[key] ?? error[key]),
        ),
    );
  return { activate, add, remove, restorePrefill, clash };
};

// The ends of the active error, or of what is chosen, a unit earlier or later.
const onEnds = (m) => {
  const adjust = (side, step) => {
    const text = m.active ? m.texts[m.active.side] : m.current;
    const range = m.active || text?.range();
    if (!range || !text) return m.refuse(m.words.chooseFirst);
    const [first, last] = text.numbers(range).map((number) => number - 1);
    const start = side === "start" ? first + step : first;
    const end = side === "end" ? last + step : last;
    return stretch(text, Math.min(last, start), Math.max(first, end));
  };
  // From one unit to another, by their numbers from 0.
  const stretch = (text, first, last) => {
    const start = Math.max(0, first);
    const end = Math.min(text.units.length - 1, last);
    const values = { start: text.units[start].start, end: text.units[end].end };
    if (!m.active) {
      text.choose(values.start, values.end);
      return m.say(m.placeOf(text, text.range()));
    }
    if (m.clash(m.active, values)) return m.refuse(m.words.twice);
    Object.assign(m.active, values);
    text.choose(values.start, values.end);
    return m.changed(m.describe(m.active));
  };
  return { adjust, stretch };
};

const acts = (m) => {
  const { words, rules, severities } = m;
  const nowhere = (side, category) => {
    const severity = (m.severity("minor") || severities[0]).slug;
    m.add({ side, start: 0, end: 0, severity, category, prefill: "" });
  };
  const act = {
    severity: (slug) => {
      if (m.active && !m.isWhole(m.active)) {
        m.active.severity = slug;
        m.remember?.(m.active);
        return m.changed(m.describe(m.active));
      }
      const range = m.current?.range();
      if (!range) return m.refuse(words.chooseFirst);
      return m.add({ side: m.current.side, ...range, severity: slug, category: "", prefill: "" });
    },
    missing: () => nowhere("missing", ""),
    mark: (slug) => nowhere("output", slug),
    none: () => {
      if (m.errors.length) return m.refuse(words.deleteFirst);
      m.isNone = !m.isNone;
      return m.changed(m.isNone ? words.none : words.notNone);
    },
    whole: () => {
      const whole = m.errors.find(m.isWhole);
      if (whole) {
        m.errors = m.stash;
        m.active = null;
        return m.changed(m.fill(words.deleted, { text: words.whole }));
      }
      m.stash = m.errors;
      const end = m.config.texts.target.length;
      m.active = {
        side: end ? "target" : "missing",
        start: 0,
        end,
        severity: severities.at(-1).slug,
        category: rules.nonTranslation,
        prefill: "",
      };
      m.errors = [m.active];
      m.isNone = false;
      return m.changed(words.whole);
    },
    delete: () => {
      const range = m.current?.range();
      const found = m.active || (range && m.spansAt(m.current, range.start, range.end)[0]);
      if (found) m.remove(found);
      else m.refuse(words.noneMarked);
    },
    "start-back": () => m.adjust("start", -1),
    "start-on": () => m.adjust("start", 1),
    "end-back": () => m.adjust("end", -1),
    "end-on": () => m.adjust("end", 1),
  };
  for (const node of m.buttons) {
    node.addEventListener("click", () => act[node.dataset.act](node.dataset.value));
  }
  return { ...onErrors(m), ...onEnds(m), act };
};

export { acts };
