// Marking errors in translations: the widget "spans" of the judging screen (see judge.js). The
// server reads the hidden field; templates/judgments/protocols/spans.html has the rest. Its parts:
//   field.js       what is marked, what is said about it, the hidden field
//   drawing.js     the marks in the texts, the list of errors
//   acts.js        what can be done
//   categories.js  categories by letters, those used last, the list
//   keys.js        keys
//   sides.js       one caret for translation and source
//   find.js        reaching a word by its first letters
//   touch.js       the tools and handles of a phone
//   span-texts.js  a text in which words can be chosen
import "../relative-color.js";

import { acts } from "./acts.js";
import { categories } from "./categories.js";
import { drawing } from "./drawing.js";
import { field, said } from "./field.js";
import { find } from "./find.js";
import { keys } from "./keys.js";
import { sides } from "./sides.js";
import { SpanText } from "./span-texts.js";
import { touch } from "./touch.js";

// The text on the other side is one for all translations of a screen: it shows the errors of the
// translation that was worked on last.
const owners = new WeakMap();

const sourceOf = (question) => {
  for (let node = question.parentElement; node; node = node.parentElement) {
    const found = node.querySelector("[data-part=source] .segment-text");
    if (found) return found;
  }
  return null;
};

// What all parts share: the nodes, the rules of the campaign, and the state.
const begin = (question, screen) => {
  const { words, severities, categories, ...rules } = JSON.parse(
    question.closest("[data-spans]").dataset.spans,
  );
  const confirmed = question.querySelector("[data-part=confirmed]");
  const select = question.querySelector("select");
  return {
    question,
    screen,
    owners,
    words,
    severities,
    categories,
    rules,
    config: JSON.parse(question.dataset.config),
    hasCategories: Object.keys(categories).some((slug) => slug !== rules.nonTranslation),
    confirmed,
    held: confirmed.previousElementSibling,
    doubtful: question.querySelector("[data-part=doubt]"),
    list: question.querySelector(".span-list"),
    edit: question.querySelector("[data-part=edit]"),
    select,
    buttons: [...question.querySelectorAll("[data-act]")].filter((node) => node !== select),
    texts: {},
    errors: [],
    active: null,
    current: null, // the text that keys move in
    isNone: false,
    isChoosing: false, // a category is chosen by letters
    stash: [],
  };
};

// What happens in a text by mouse or by touch.
const hooksOf = (m) => {
  const isCurrent = () =>
    m.question.classList.contains("is-current") || !document.querySelector(".spans.is-current");
  return {
    // A press gives the focus too; to draw then would take the pressed word from under the mouse.
    focused: (text) => {
      if (text.element.matches(":focus-visible") && (text.side === "target" || isCurrent())) {
        m.enter(text);
      }
    },
    chosen: (text, isDone) => {
      if (text.side === "source" && !isCurrent()) return;
      m.enter(text);
      m.active = null;
      m.edit.hidden = false;
      text.place(text.range().start);
      if (isDone) m.say(m.placeOf(text, text.range()));
    },
    tapped: (text, unit, isExtending) => {
      if (text.side === "source" && !isCurrent()) return;
      m.enter(text);
      const { start, end } = text.units[unit];
      text.place(start);
      const here = text.isTapped || isExtending ? [] : m.spansAt(text, start, end);
      const next = here[here.indexOf(m.active) + 1];
      if (next) {
        text.clear();
        m.activate(next);
      } else {
        m.active = null;
        text.tap(unit, isExtending);
        m.say(text.range() ? m.placeOf(text, text.range()) : m.words.text);
      }
      if (text.isTouched) m.keepInSight();
    },
  };
};

const enter = (m) => (text) => {
  for (const each of Object.values(m.texts)) {
    const before = owners.get(each.element);
    owners.set(each.element, m.question);
    if (before !== m.question) m.drawText(each);
  }
  if (m.current !== text) {
    m.current?.clear();
    m.current = text;
  }
};

const openTexts = (m) => {
  const { question, config, texts } = m;
  const hooks = hooksOf(m);
  const make = (side, element) =>
    new SpanText(side, element, config.texts[side], hooks);
  const target = question.querySelector(".segment-text");
  // An empty translation has no words to choose; what is wrong with it is all of it, or missing.
  if (target && config.texts.target) texts.target = make("target", target);
  const source = m.rules.sides.includes("source") && sourceOf(question);
  if (source) texts.source = make("source", source);
  for (const text of Object.values(texts)) {
    text.element.addEventListener("mteval:cells", () => m.drawText(text));
    text.element.setAttribute("aria-label", `${m.titleOf(text)}: ${text.text}`);
    text.element.setAttribute("aria-roledescription", m.words.text);
    text.element.setAttribute("aria-describedby", "how-to-mark");
    if (!owners.has(text.element)) owners.set(text.element, question);
    text.setKind((m.rules.unit || document.body.dataset.spanUnit) === "character" ? "character" : "word");
  }
  m.current = texts.target || texts.source || null;
};

// A score that contradicts the errors is asked about once, or refused.
const doubts = (m) => {
  const { question, rules, words, severities, held } = m;
  const score = () =>
    question.closest("article").querySelector(".slider input[type=hidden]:not(:disabled)");
  const why = () => {
    const given = score();
    if (!rules.score || !given) return "";
    const value = Number(given.value);
    const worst = severities.at(-1).slug;
    if (rules.unmarked !== "off" && value < rules.low && !m.errors.length)
      return rules.unmarked === "refuse" ? words.refused : words.low;
    const isBad = severities.length > 1 && m.errors.some((error) => error.severity === worst);
    return value >= rules.high && isBad ? words.high : "";
  };
  const answer = () => `${held.value} ${score()?.value}`;
  let doubted = m.confirmed.value ? answer() : "";
  const doubt = () => {
    const found = why();
    if (!found || (doubted === answer() && found !== words.refused)) return false;
    doubted = answer();
    m.confirmed.value = "1";
    m.doubtful.textContent = found;
    return true;
  };
  return { score, doubt };
};

// What judge.js asks of a widget.
const widgetOf = (m) => {
  const { rules, words, held } = m;
  const { score, doubt } = doubts(m);
  return {
    // Where a score follows, no marks are an answer, too: only the score is missing.
    isAnswered: () => m.errors.every(m.isReady) && (rules.score || m.isNone || m.errors.length > 0),
    isOpen: () => rules.score && !score(),
    state: () => {
      if (!rules.score || score() || !m.errors.every(m.isReady)) return "";
      const n = m.errors.length;
      return n ? m.fill(words.giveScore, { n }) : words.noneGiveScore;
    },
    focus: () => {
      const open = m.errors.find((error) => !m.isReady(error));
      if (open) m.activate(open);
      if (!open || !m.select) return m.focus();
      return m.choosing();
    },
    answers: () =>
      held.value && (m.errors.length || m.isNone || m.config.prefills.length)
        ? [[held.name, held.value]]
        : [],
    restore: ([answer]) => {
      m.read(answer?.[1] ?? (rules.score ? "[]" : ""));
      m.confirmed.value = "";
      m.doubtful.textContent = "";
      m.draw();
      m.write();
    },
    choose: () => false,
    yields: m.yields,
    key: m.key,
    leave: () => {
      m.unlisten();
      m.letGo();
      Object.values(m.texts).forEach((text) => text.leave());
    },
    doubt,
  };
};

const spans = (question, screen) => {
  const m = begin(question, screen);
  Object.assign(m, said(m), field(m), drawing(m), acts(m));
  Object.assign(m, categories(m), keys(m), sides(m), find(m), touch(m), {
    enter: enter(m),
    titleOf: ({ side }) =>
      side === "source" ? m.words.source : question.closest("article").querySelector("h2").textContent.trim(),
    focus: () => (m.current?.element || m.buttons[0]).focus({ preventScroll: true }),
  });
  openTexts(m);
  m.listen();
  question.querySelector(".span-tools").hidden = false;
  m.read(m.held.value);
  m.draw();
  m.write();
  return widgetOf(m);
};

(window.mtevalWidgets ??= {}).spans = spans;
