// The two sides of a translation share one caret. The key a takes it over; so does Tab while it is at a
// word and no error is chosen, whose tools come next, once: from the other side Tab goes on to what follows both, and Shift+Tab or Escape back.
const sides = (m) => {
  const { texts } = m;
  let left = null; // what Tab took the caret from, and the place there
  const otherOf = (text) => (text === texts.target ? texts.source : texts.target);

  // Where the caret goes on over there: at the word that corresponds, or where the sentence begins.
  const opposite = (from, to) => {
    const place = from.units[from.cursor]?.start;
    if (place === undefined) return -1;
    const linked = window.mtevalLinks?.nearest(from.element, place, to.element) ?? -1;
    const { start, end } = window.mtevalReading.counterpart(from.element, place, to.element);
    const there = linked >= 0 ? linked : end > start ? start : 0;
    return to.units.findIndex((unit) => unit.end > there);
  };
  const goOver = () => {
    const from = m.current;
    const to = otherOf(from);
    if (!to) return;
    const entry = opposite(from, to);
    m.enter(to);
    to.entry = entry;
    m.active = null;
    m.focus();
    m.draw();
  };

  const arrived = () => {
    m.arrived(true);
    m.say(`${m.titleOf(m.current)}: ${m.placeOf(m.current, m.current.range())}`);
  };

  const isOver = () => left !== null && left.text !== m.current;
  const back = () => {
    if (!isOver()) return false;
    const { text, range } = left;
    left = null;
    m.enter(text);
    m.active = null;
    text.choose(range.start, range.end);
    arrived();
    return true;
  };
  const tab = (event) => {
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
    const { current } = m;
    if (m.owners.get(event.currentTarget) !== m.question || current?.element !== event.currentTarget) return;
    if (event.shiftKey) {
      if (back()) event.preventDefault();
    } else if (isOver()) {
      // The browser goes on from what has the focus: the translation, which comes after the source.
      left = null;
      texts.target.element.focus({ preventScroll: true });
    } else if (!m.isChoosing && m.active === null && current.range() && otherOf(current)?.units.length) {
      event.preventDefault();
      left = { text: current, range: current.range() };
      goOver();
      m.current.move("ArrowRight"); // to where it enters
      arrived();
    }
  };
  const forget = ({ relatedTarget }) => {
    if (!Object.values(texts).some(({ element }) => element === relatedTarget)) left = null;
  };
  const listenToTab = () => {
    for (const { element } of Object.values(texts)) {
      element.addEventListener("keydown", tab);
      element.addEventListener("focusout", forget);
    }
  };
  return { goOver, back, listenToTab };
};

export { sides };
