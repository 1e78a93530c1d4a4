// Work that is open twice in one browser: the second tab says so, and stops saying so when it is the
// only one. Answers of both are stored; a lock of the browser knows which one came first.
"use strict";
(() => {
  const LEAVING_MS = 1500; // the page before this one may still be on its way out
  const notice = document.getElementById("second-tab");
  const { owner, base } = document.body.dataset;
  if (!notice || !navigator.locks) return;
  const timer = setTimeout(() => {
    notice.hidden = false;
  }, LEAVING_MS);
  navigator.locks.request(`mteval-work ${owner} ${base}`, () => {
    clearTimeout(timer);
    notice.hidden = true;
    return new Promise(() => {}); // as long as the page is there
  });
})();
