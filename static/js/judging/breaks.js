// A reminder of breaks, for those who asked for it: after twenty minutes with signs of life, over all
// items of a tab. Five minutes without any are a break.
"use strict";
(() => {
  const reminder = document.getElementById("break");
  if (!reminder) return;
  const WORK_MIN = 20;
  const BREAK_MIN = 5;
  const KEPT = "mteval-worked"; // "minutes since the last break, when the last one ended"
  const minute = () => Math.floor(Date.now() / 60000);
  const read = () => {
    try {
      return (sessionStorage.getItem(KEPT) ?? "0 0").split(" ").map(Number);
    } catch {
      return [0, 0];
    }
  };
  const write = (worked) => {
    try {
      sessionStorage.setItem(KEPT, `${worked} ${minute()}`);
    } catch {
      // storage may be forbidden: each page counts anew
    }
  };
  let [worked, last] = read();
  const sign = () => {
    const now = minute();
    if (document.hidden || now === last) return;
    worked = now - last > BREAK_MIN ? 1 : worked + 1;
    last = now;
    write(worked);
    reminder.hidden = worked <= WORK_MIN;
  };
  for (const event of ["pointerdown", "keydown", "wheel", "scroll", "touchmove"])
    document.addEventListener(event, sign, { passive: true, capture: true });
  reminder.querySelector("button").addEventListener("click", () => {
    worked = 0;
    write(worked);
    reminder.hidden = true;
    document.getElementById("stage").focus({ preventScroll: true });
  });
})();
