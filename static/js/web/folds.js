// Folds: an address that names a place within one (#id) opens it, and paper has no folds.
"use strict";

(function () {
  // Opens what hides the place that the address names, and goes there. To a place that no fold
  // hides the browser goes by itself.
  function reveal() {
    let place = null;
    try {
      place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      // Not the name of a place: "#%".
    }
    let opened = false;
    for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      opened ||= !fold.open;
      fold.open = true;
    }
    if (opened) {
      place.scrollIntoView({ block: place.matches("details") ? "start" : "center" });
    }
  }

  // When the other scripts of the page have kept places for what they draw.
  document.addEventListener("DOMContentLoaded", reveal);
  window.addEventListener("hashchange", reveal);
  // A link to the place where one is already says nothing new to the address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link && link.hash === location.hash) {
      reveal();
    }
  });

  // Except forms, and what would be fetched only now.
  let forPaper = [];
  const open = () => {
    forPaper = [...document.querySelectorAll("details:not([open], .filters, .settings-fold, [hx-get])")];
    forPaper.forEach((fold) => (fold.open = true));
  };
  const close = () => forPaper.splice(0).forEach((fold) => (fold.open = false));
  // The page loads this script before charts.js, which draws for paper what has room then.
  window.addEventListener("beforeprint", open);
  window.addEventListener("afterprint", close);
})();
