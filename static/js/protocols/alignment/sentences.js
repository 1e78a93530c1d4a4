// A text of several sentences is linked one pair of sentences at a time. Which belong together follows
// from their lengths (sentence-pairs.js), and from links: a sentence that a word of the pair is linked
// to is shown too. What else lies beyond the pair comes when it is asked for.

// Numbers of sentences with their words: [[from, to], …].
const sentencesOf = (row, tokens) => {
  const begins = (row.dataset.begins || "0").split(" ").map(Number);
  return begins.map((from, i) => [from, begins[i + 1] ?? tokens.length]);
};

const lengthsOf = (all, tokens) =>
  all.map(([from, to]) => tokens.slice(from, to).reduce((sum, { textContent }) => sum + textContent.length + 1, 0));

// Every step has words of the source. A sentence of the translation alone belongs to the step
// before; sentences of the source alone are steps of one sentence, with those of the translation
// that stand before and behind.
const stepsOf = (pairs) => {
  const found = [];
  let early = 0; // sentences of the translation before the first step
  for (const [a, b, c, d] of pairs) {
    if (a === b) {
      if (found.length) found.at(-1).target[1] = d;
      else early = d - c;
    } else if (c === d)
      for (let i = a; i < b; i += 1) found.push({ source: [i, i + 1], target: [c, c], gap: c });
    else found.push({ source: [a, b], target: [c, d] });
  }
  if (early) found[0].target = [0, Math.max(early, found[0].target[1])];
  return found;
};

// `linked`: all links, as places of words. Nothing where a text is one sentence.
const sentenceLinks = (question, rows, tokens, linked) => {
  if (!rows.source.dataset.begins || !rows.target.dataset.begins) return null;
  if (question.closest(".read-only")) return null; // whoever only looks sees all
  const all = { source: sentencesOf(rows.source, tokens.source), target: sentencesOf(rows.target, tokens.target) };
  const steps = stepsOf(
    window.mtevalPairs.align(lengthsOf(all.source, tokens.source), lengthsOf(all.target, tokens.target)),
  );
  if (steps.length < 2) return null;
  const bar = question.querySelector("[data-steps]");
  const others = { source: "target", target: "source" };
  const seen = new Set();
  let at = 0;
  let asked = { source: new Set(), target: new Set() }; // sentences beyond the step
  let shown = asked;

  const sentenceOf = (side, i) => all[side].findLastIndex(([from]) => from <= i);
  const inStep = (side, sentence) => steps[at][side][0] <= sentence && sentence < steps[at][side][1];
  const stepOf = (i) => steps.findIndex(({ source: [from, to] }) => from <= sentenceOf("source", i) && sentenceOf("source", i) < to);

  const wanted = () => {
    const found = { source: new Set(asked.source), target: new Set(asked.target) };
    for (const side of ["source", "target"])
      for (let i = steps[at][side][0]; i < steps[at][side][1]; i += 1) found[side].add(i);
    for (const [i, j] of linked()) {
      const ends = { source: sentenceOf("source", i), target: sentenceOf("target", j) };
      for (const side of ["source", "target"])
        if (inStep(others[side], ends[others[side]])) found[side].add(ends[side]);
    }
    const { gap } = steps[at];
    if (gap !== undefined)
      for (const near of [gap - 1, gap]) if (all.target[near]) found.target.add(near);
    return found;
  };

  const isShown = (side, i) => shown[side].has(sentenceOf(side, i));

  const draw = () => {
    shown = wanted();
    seen.add(at);
    for (const side of ["source", "target"]) {
      tokens[side].forEach((token, i) => {
        token.hidden = !isShown(side, i);
        token.classList.toggle("is-beyond", !inStep(side, sentenceOf(side, i)));
      });
      const [before, behind] = question.querySelectorAll(`[data-more=${side}] button`);
      before.disabled = shown[side].has(0);
      behind.disabled = shown[side].has(all[side].length - 1);
    }
    bar.querySelector("span").textContent = inWords();
    const [before, behind] = bar.querySelectorAll("button");
    before.disabled = at === 0;
    behind.disabled = at === steps.length - 1;
  };

  const inWords = () => bar.dataset.at.replace("##", steps.length).replace("#", at + 1);

  const show = (index) => {
    at = Math.max(0, Math.min(steps.length - 1, index));
    asked = { source: new Set(), target: new Set() };
    draw();
  };

  // The sentence before what is shown, or the one behind; its first word.
  const more = (side, way) => {
    const [first, last] = [Math.min(...shown[side]), Math.max(...shown[side])];
    const sentence = way < 0 ? first - 1 : last + 1;
    if (!all[side][sentence]) return -1;
    asked[side].add(sentence);
    return all[side][sentence][0];
  };

  bar.hidden = false;
  for (const part of question.querySelectorAll("[data-more]")) part.hidden = false;
  draw();
  return {
    draw,
    show,
    more,
    inWords,
    isShown,
    stepOf,
    at: () => at,
    first: () => all.source[steps[at].source[0]][0],
    reveal: (side, i) => asked[side].add(sentenceOf(side, i)),
    see: (index) => {
      for (let i = 0; i <= index; i += 1) seen.add(i);
    },
    // The step that was not looked at yet: after this one, or the first; -1 where there is none.
    next: () => {
      const open = steps.map((step, i) => i).filter((i) => !seen.has(i));
      return open.find((i) => i > at) ?? open[0] ?? -1;
    },
    count: steps.length,
  };
};

export { sentenceLinks };
