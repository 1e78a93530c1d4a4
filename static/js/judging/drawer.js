// On a phone the source, or the text that questions are about, stays in sight at the top of the
// screen, as high as the annotator likes: a handle to drag, with keys. Each device keeps its own
// height, as a share of the window.
"use strict";
(() => {
  const [LEAST, MOST, STEP] = [15, 65, 5]; // per cent of the window, as in the template
  const store = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null; // storage may be forbidden; the handle works all the same
    }
  };
  const nameOf = (handle) => `mteval-${handle.dataset.handle}-height`;
  const heightOf = (handle) =>
    Number(store((s) => s.getItem(nameOf(handle)))) || Number(handle.dataset.share);

  const show = (handle, height = heightOf(handle)) => {
    const part = handle.parentElement;
    document.documentElement.style.setProperty(`--${handle.dataset.handle}-height`, `${height}vh`);
    handle.setAttribute("aria-valuenow", Math.round(height));
    handle.setAttribute("aria-valuetext", `${Math.round(height)} %`);
    // Of a short text everything is in sight.
    const share = Math.min(height, handle.dataset.share) / 100;
    handle.hidden = part.scrollHeight <= share * window.innerHeight;
  };

  const set = (handle, wanted) => {
    const height = Math.max(LEAST, Math.min(MOST, wanted));
    store((s) => s.setItem(nameOf(handle), height.toFixed(1)));
    show(handle, height);
  };

  const handles = () => document.querySelectorAll("#stage [data-handle]");

  const arm = (handle) => {
    const KEYS = {
      ArrowDown: () => heightOf(handle) + STEP,
      ArrowUp: () => heightOf(handle) - STEP,
      Home: () => LEAST,
      End: () => MOST,
    };
    handle.addEventListener("keydown", (event) => {
      if (!KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation(); // they mark words elsewhere
      set(handle, KEYS[event.key]());
    });
    let offset = 0; // of the finger from the lower edge
    const edge = () => handle.parentElement.getBoundingClientRect();
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      offset = edge().bottom - event.clientY;
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      set(handle, ((event.clientY + offset - edge().top) / window.innerHeight) * 100);
    });
    handle.parentElement.addEventListener("toggle", () => show(handle));
    show(handle);
  };

  document.addEventListener("mteval:open", () => handles().forEach(arm));
  window.addEventListener("resize", () => handles().forEach((handle) => show(handle)));
})();
