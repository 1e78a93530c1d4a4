// Undo and redo of what was answered on the open item, whatever the protocol. A state is what all
// questions hold, as they give it to a draft; it is kept with the draft, so that it outlives a reload.
"use strict";
(() => {
  const MOST = 200; // states
  const LONGEST = 60000; // characters of all of them: browsers give a site a few million
  const TOGETHER_MS = 1200; // changes of a slider or a field as quick as that are one act
  let past = [];
  let present = "";
  let future = [];
  let last = { id: "", at: 0 };

  const size = (states) => states.reduce((sum, { length }) => sum + length, 0);
  const trim = () => {
    while (past.length > MOST || (past.length && size(past) + size(future) > LONGEST)) past.shift();
  };

  // An item was opened. `kept`: what `kept()` gave for it; without it, or when the answers became
  // others meanwhile, there is nothing to take back.
  const begin = (state, kept) => {
    present = JSON.stringify(state);
    const fits = kept?.present === present;
    past = fits ? kept.past : [];
    future = fits ? kept.future : [];
    last = { id: "", at: 0 };
  };

  // `id`: of the question that changed, where its changes flow into each other; else "".
  const note = (state, id) => {
    const text = JSON.stringify(state);
    if (text === present) return;
    const now = performance.now();
    const isSame = id !== "" && id === last.id && now - last.at < TOGETHER_MS && past.length > 0;
    if (!isSame) past.push(present);
    last = { id, at: now };
    present = text;
    future = [];
    trim();
  };

  // The state before (-1) or after (1); null where there is none.
  const step = (way) => {
    const [from, to] = way < 0 ? [past, future] : [future, past];
    if (!from.length) return null;
    to.push(present);
    present = from.pop();
    last = { id: "", at: 0 };
    return JSON.parse(present);
  };

  window.mtevalHistory = {
    begin,
    note,
    // What comes next is an act of its own, however quickly it comes.
    cut: () => (last = { id: "", at: 0 }),
    step,
    can: (way) => (way < 0 ? past : future).length > 0,
    kept: () => ({ past, present, future }),
  };
})();
