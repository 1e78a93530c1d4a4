// Which sentences of two texts belong together, by their lengths: Gale and Church (1993), "A program
// for aligning sentences in bilingual corpora". Of two that are translations of each other the one is
// as long as the other times a factor: 1 as in the paper, or that of the two texts, since Chinese is
// shorter than English; whichever makes the pairs likelier. A translation may also stop in the
// middle, as some systems do, for the price of one sentence that is left out.
"use strict";
(() => {
  const VARIANCE = 6.8; // of the length for each character: section 3.2 of the paper
  const KINDS = [
    // how many sentences of the one and of the other, and how often that is so: its table 5
    [1, 1, 0.89],
    [1, 0, 0.0099],
    [0, 1, 0.0099],
    [2, 1, 0.089],
    [1, 2, 0.089],
    [2, 2, 0.011],
  ];
  const MOST = 250000; // pairs to be weighed: five hundred sentences on each side

  // -log of both tails of the normal distribution beyond z: Abramowitz and Stegun (1964), 26.2.17.
  const surprise = (z) => {
    const t = 1 / (1 + 0.2316419 * z);
    const polynomial =
      t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return (z * z) / 2 - Math.log((2 * polynomial) / Math.sqrt(2 * Math.PI));
  };

  const cost = (one, other, factor, prior) => {
    const mean = (one + other / factor) / 2;
    const delta = mean > 0 ? (other - one * factor) / Math.sqrt(mean * VARIANCE) : 0;
    return surprise(Math.abs(delta)) - Math.log(prior);
  };

  const STOPPED = cost(100, 0, 1, 0.0099); // a sentence of a hundred characters

  const sums = (lengths) => lengths.reduce((all, length) => [...all, all.at(-1) + length], [0]);

  // The likeliest pairs for sums of lengths and a factor: [cost, [[from, to, from, to], …]].
  const likeliest = (one, other, factor, stopped = Infinity) => {
    const wide = other.length;
    const best = new Float64Array(one.length * wide).fill(Infinity);
    const how = new Int8Array(best.length);
    best[0] = 0;
    for (let i = 0; i < one.length; i += 1)
      for (let j = 0; j < wide; j += 1)
        for (let kind = 0; kind < KINDS.length; kind += 1) {
          const [m, n, prior] = KINDS[kind];
          const before = m > i || n > j ? Infinity : best[(i - m) * wide + j - n];
          if (before >= best[i * wide + j]) continue;
          const here = cost(one[i] - one[i - m], other[j] - other[j - n], factor, prior);
          if (before + here >= best[i * wide + j]) continue;
          best[i * wide + j] = before + here;
          how[i * wide + j] = kind;
        }
    let [total, last] = [best.at(-1), one.length - 1];
    for (let i = 1; i + 1 < one.length; i += 1) {
      const here = best[i * wide + wide - 1] + stopped;
      if (here < total) [total, last] = [here, i];
    }
    const found = last + 1 < one.length ? [[last, one.length - 1, wide - 1, wide - 1]] : [];
    for (let [i, j] = [last, wide - 1]; i || j; ) {
      const [m, n] = KINDS[how[i * wide + j]];
      found.unshift([i - m, i, j - n, j]);
      [i, j] = [i - m, j - n];
    }
    return [total, found];
  };

  // Lengths of the sentences of both → [[from, to, from, to], …]: sentences from, and before, to.
  const align = (ones, others) => {
    const [one, other] = [sums(ones), sums(others)];
    if (ones.length * others.length > MOST || !one.at(-1) || !other.at(-1))
      return [[0, ones.length, 0, others.length]];
    const factors = [1, other.at(-1) / one.at(-1)];
    const found = factors.map((factor) => likeliest(one, other, factor, STOPPED));
    return found[0][0] <= found[1][0] ? found[0][1] : found[1][1];
  };

  // Which sentences begin a paragraph, the first one among them.
  const paragraphs = (text, begins) =>
    [...begins.keys()].filter((i) => !i || /\n\s*$/.test(text.slice(begins[i - 1], begins[i])));

  // The same of two elements, in characters. What has nothing opposite has an empty stretch there.
  // Paragraphs are paired before their sentences, as in the paper, where both have as many.
  const made = (one, other) => {
    const { sentences, textOf } = window.mtevalTexts;
    const texts = [one, other].map(textOf);
    const begins = [one, other].map(sentences);
    const ends = begins.map((all, side) => [...all, texts[side].length]);
    const lengths = ends.map((all) => all.slice(1).map((end, i) => end - all[i]));
    if (lengths.some(({ length }) => length < 2)) return [[0, texts[0].length, 0, texts[1].length]];
    const firsts = begins.map((all, side) => paragraphs(texts[side], all));
    const isPaired = firsts[0].length === firsts[1].length;
    const blocks = (isPaired ? firsts : [[0], [0]]).map((all, side) => [...all, lengths[side].length]);
    return blocks[0].slice(1).flatMap((_, block) => {
      const [from, to] = [0, 1].map((step) => blocks.map((all) => all[block + step]));
      const found = align(...lengths.map((all, side) => all.slice(from[side], to[side])));
      return found.map(([a, b, c, d]) => [
        ends[0][from[0] + a],
        ends[0][from[0] + b],
        ends[1][from[1] + c],
        ends[1][from[1] + d],
      ]);
    });
  };
  const kept = new WeakMap();
  const pairs = (one, other) => {
    if ("value" in one || "value" in other) return made(one, other); // it is being written
    if (!kept.has(one)) kept.set(one, new WeakMap());
    const known = kept.get(one);
    if (!known.has(other)) known.set(other, made(one, other));
    return known.get(other);
  };

  window.mtevalPairs = { likeliest, align, pairs };
})();
