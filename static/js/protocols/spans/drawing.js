// Marking errors: how they are drawn, in the texts and as a list.

const sort = (errors) => {
  const sides = ["target", "source", "missing", "output"];
  errors.sort(
    (a, b) => sides.indexOf(a.side) - sides.indexOf(b.side) || a.start - b.start || a.end - b.end,
  );
};

const button = (text, label, act) => {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = text;
  if (label) node.setAttribute("aria-label", label);
  node.addEventListener("click", act);
  return node;
};

// The marks in a text.
const inText = (m) => {
  const look = (error) => `look-${m.severity(error.severity).look}`;
  const token = (error, number) => {
    const node = document.createElement("span");
    node.className = `missing-token ${look(error)}`;
    node.classList.toggle("is-active", error === m.active);
    node.textContent = m.isMark(error) ? m.markName(error) : m.words.token;
    node.dataset.ends = number;
    node.addEventListener("click", (event) => {
      event.stopPropagation();
      m.activate(error);
    });
    return node;
  };
  const drawText = (text) => {
    if (m.owners.get(text.element) !== m.question) return;
    const { active, current } = m;
    const marks = m.errors
      .map((error, i) => ({ error, number: i + 1 }))
      .filter(({ error }) => error.side === text.side)
      .map(({ error, number }) => ({
        start: error.start,
        end: error.end,
        number,
        classes: [look(error), ...(error === active ? ["is-active"] : [])],
      }));
    const range = text === current && !active && text.range();
    if (range) marks.push({ ...range, classes: ["is-picked"] });
    const hits = text === current ? m.hits : [];
    marks.push(...hits.map((hit) => ({ ...hit, classes: ["is-hit"] })));
    if (text === current && text.cursor >= 0) {
      marks.push({ ...text.units[text.cursor], classes: ["is-cursor"] });
    }
    text.draw(marks);
    if (text.side !== "target") return;
    m.errors.forEach((error, i) => {
      if (m.isWhole(error) || (error.side !== "missing" && !m.isMark(error))) return;
      const last = text.element.querySelector(":scope > .sentence:last-of-type") ?? text.element;
      last.append(" ", token(error, i + 1));
    });
  };
  return { look, drawText };
};

// The list of errors, with the suggestions that were deleted.
const inList = (m) => {
  const { words } = m;
  const row = (error) => {
    const item = document.createElement("li");
    const label = m.describe(error);
    const open = button(label, "", () => m.activate(error));
    open.className = `span-name ${m.look(error)}`;
    open.setAttribute("aria-pressed", error === m.active);
    const from = m.origin(error);
    if (from) {
      const tag = document.createElement("span");
      tag.className = "span-origin";
      tag.textContent = from;
      open.append(" ", tag);
    }
    if (!m.isReady(error)) item.classList.add("is-open");
    item.append(open, button("×", `${words.delete}: ${label}`, () => m.remove(error)));
    return item;
  };
  const deletedRow = (prefill) => {
    const error = m.fromPoints(prefill);
    const item = document.createElement("li");
    if (!error) return item;
    item.className = "is-deleted";
    const name = document.createElement("del");
    name.textContent = m.describe(error);
    const hint = document.createElement("span");
    hint.className = "visually-hidden";
    hint.textContent = `${words.suggestion}: `;
    const label = `${words.restore}: ${name.textContent}`;
    item.append(hint, name, button(words.restore, label, () => m.restorePrefill(error)));
    return item;
  };
  const drawList = () => {
    const gone = m.config.prefills.filter(
      ({ prefill }) => !m.errors.some((error) => error.prefill === prefill),
    );
    m.list.replaceChildren(...m.errors.map(row), ...gone.map(deletedRow));
  };
  return { drawList };
};

const drawing = (m) => {
  const { question, edit, select } = m;
  const drawTools = () => {
    const { active } = m;
    edit.hidden = !active && !m.current?.range();
    // Whether digits are severities now; where a score follows, they are shown at what they do.
    question.classList.toggle("digits-mark", !edit.hidden && !(active && m.isWhole(active)));
    const tools = edit.parentElement;
    const before = tools.className;
    tools.classList.toggle("is-working", !edit.hidden);
    for (const node of m.buttons) {
      const { act, value } = node.dataset;
      if (act === "severity") node.setAttribute("aria-pressed", active?.severity === value);
      if (act === "none") node.setAttribute("aria-pressed", m.isNone);
      if (act === "whole") node.setAttribute("aria-pressed", m.errors.some(m.isWhole));
      if (act === "delete") node.hidden = !active;
    }
    const whole = Boolean(active) && m.isWhole(active);
    const isNamed = whole || (Boolean(active) && m.isMark(active));
    m.drawKinds();
    if (tools.className !== before) tools.scrollLeft = 0; // what there is to do now comes first
    edit.querySelector("[data-part=ends]").hidden = isNamed || active?.side === "missing";
    if (!select) return;
    select.closest("label").hidden = !active || isNamed;
    select.value = active?.category || "";
    if (active && !m.isReady(active)) select.setAttribute("aria-invalid", "true");
    else select.removeAttribute("aria-invalid");
  };
  const draw = () => {
    const hadFocus = m.list.contains(document.activeElement);
    sort(m.errors);
    Object.values(m.texts).forEach(m.drawText);
    const height = m.texts.target?.element.offsetHeight;
    question.classList.toggle("is-long", height > window.innerHeight / 2);
    m.drawList();
    if (hadFocus) m.focus();
    drawTools();
    m.drawHandles();
  };
  const say = (said) => {
    draw();
    m.screen.say(said);
  };
  const refuse = (why) => {
    draw();
    m.screen.refuse(why);
  };
  const changed = (said) => {
    m.confirmed.value = "";
    m.doubtful.textContent = "";
    draw();
    m.write();
    m.screen.changed();
    if (said) m.screen.say(said);
  };
  return { ...inText(m), ...inList(m), draw, say, refuse, changed };
};

export { drawing };
