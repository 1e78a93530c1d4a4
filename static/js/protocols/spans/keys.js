// Marking errors by keys.

const moves = (m) => {
  const { words, texts } = m;
  const jump = (step) => {
    if (!m.errors.length) return m.refuse(words.noneMarked);
    const from = m.errors.indexOf(m.active);
    const to = from < 0 ? beside(step) : from + step;
    m.activate(m.errors.at(to % m.errors.length));
    return m.focus();
  };
  // The first error after the place in the text, or the last one before it; at the end from anew.
  const beside = (step) => {
    const place = m.current?.units[m.current.cursor]?.start ?? (step > 0 ? -1 : Infinity);
    const isThere = ({ side, start }) =>
      side === m.current?.side && (step > 0 ? start > place : start < place);
    return step > 0 ? Math.max(0, m.errors.findIndex(isThere)) : m.errors.findLastIndex(isThere);
  };
  const otherKind = () => {
    const kind = m.current?.kind === "word" ? "character" : "word";
    for (const text of Object.values(texts)) text.setKind(kind);
    m.say(kind === "word" ? words.byWords : words.byCharacters);
  };
  const move = ({ key, shiftKey }, isBySentence = false) => {
    const text = m.current;
    if (!text || !text.units.length) return;
    m.active = null;
    m.enter(text);
    if (isBySentence) text.moveBySentence(key, shiftKey);
    else text.move(key, shiftKey);
    arrived(!shiftKey);
  };
  // The place in the text has changed: it is shown and said, with what is marked there.
  const arrived = (isSayingMarks) => {
    const text = m.current;
    m.focus();
    const unit = text.units[text.cursor];
    text.place(unit.start);
    const marked = m.spansAt(text, unit.start, unit.end).map(m.describe);
    m.say([m.placeOf(text, text.range()), ...(isSayingMarks ? marked : [])].join("; "));
    m.keepInSight();
  };
  return { jump, otherKind, move, arrived };
};

const keys = (m) => {
  const { rules, texts } = m;
  const own = moves(m);
  const single = {
    m: () => rules.sides.includes("missing") && (m.act.missing(), true),
    0: () => !rules.score && (m.act.none(), true),
    t: () => rules.nonTranslation && (m.act.whole(), true),
    d: () => (m.act.delete(), true),
    Delete: () => (m.act.delete(), true),
    Backspace: () => Boolean(m.active) && (m.act.delete(), true), // otherwise it leads back
    c: () => {
      const isOpen = m.active && !m.isWhole(m.active) && !m.isMark(m.active);
      if (m.select && isOpen) m.choosing();
      else if (m.select) m.refuse(m.words.chooseError);
      return Boolean(m.select);
    },
    f: () => m.finding(),
    "/": () => m.finding(),
    w: () => (own.otherKind(), true),
    a: () => texts.source && (m.goOver(), true),
    ",": () => (own.jump(-1), true),
    ".": () => (own.jump(1), true),
    Escape: () => {
      if (!m.active && m.back()) return true;
      if (!m.active && !m.current?.range()) return false;
      m.active = null;
      m.current?.clear();
      m.say(m.words.text);
      return true;
    },
  };
  // As long as nothing is chosen or marked, a digit is the score that follows. Afterwards it is a
  // severity, and never the score by mistake: that one is gone to by j or Enter.
  const yields = () => rules.score && !m.active && !m.current?.range() && !m.errors.length;
  const key = (event) => {
    if (m.chooseKey(event)) return true;
    const isHere = Object.values(texts).some((text) => text.element === event.target);
    if (["ArrowLeft", "ArrowRight"].includes(event.key)) {
      own.move(event);
      return Boolean(m.current);
    }
    if (isHere && ["ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) {
      own.move(event);
      return true;
    }
    if (event.repeat) return false;
    const isDigit = /^[0-9]$/.test(event.key);
    if (isDigit && yields()) return false;
    const chosen = isDigit && m.severities[event.key - 1];
    if (chosen) {
      m.act.severity(chosen.slug);
      return true;
    }
    const mark = m.buttons.find(({ dataset }) => dataset.act === "mark" && dataset.key === event.key);
    if (mark) m.act.mark(mark.dataset.value);
    if (mark || m.kindKey(event) || single[event.key]?.()) return true;
    if (isDigit) m.refuse(m.words.noSeverity);
    return isDigit;
  };
  // With Ctrl by sentences; on a Mac, which has other plans for it, with Option.
  const modifier = /^Mac/.test(navigator.platform) ? "altKey" : "ctrlKey";
  const bySentence = (event) => {
    if (!event[modifier] || event.metaKey || event.altKey !== (modifier === "altKey")) return;
    if (!["ArrowLeft", "ArrowRight"].includes(event.key) || !m.current) return;
    const isHere = Object.values(texts).some((text) => text.element === event.target);
    const isOff = document.body.classList.contains("no-keys");
    const isFree = !isOff && !event.target.matches("input, textarea, select, dialog *");
    if (!isHere && !(isFree && m.question.classList.contains("is-current"))) return;
    if (m.owners.get(m.current.element) !== m.question) return;
    event.preventDefault();
    own.move(event, true);
  };

  // In a text that has the focus they work also for those who turned the keys of the screen off.
  const listen = () => {
    document.addEventListener("keydown", bySentence);
    m.listenToTab();
    for (const { element } of Object.values(texts)) {
      element.addEventListener("keydown", (event) => {
        const isOff = document.body.classList.contains("no-keys");
        if (!isOff || m.owners.get(element) !== m.question) return;
        if (event.ctrlKey || event.metaKey || event.altKey || !key(event)) return;
        event.preventDefault();
        event.stopPropagation();
      });
    }
  };
  const unlisten = () => document.removeEventListener("keydown", bySentence);
  return { ...own, key, yields, listen, unlisten };
};

export { keys };
