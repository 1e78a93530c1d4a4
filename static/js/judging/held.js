// What this browser holds of the work to come, so that it goes on without the site: rows fetched
// ahead, and which of them were answered since. All of it is of one person: whoever signs in next,
// and signing out, clears it (every page has this file). Answers are elsewhere, in queue.js.
"use strict";
(() => {
  const LONGEST_MS = 3 * 24 * 3600 * 1000;
  const HOLDER = "mteval-holder"; // whose it is
  const NEVER = "mteval-holds-nothing"; // what the annotator wants of this device
  const { owner = "", base, worker } = document.body.dataset;
  const home = worker?.replace(/judge\/worker\.js$/, ""); // where the site is
  const store = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null; // forbidden: then nothing is held
    }
  };
  const isWanted = () => store((s) => s.getItem(NEVER) === null) === true;

  const opened = () =>
    new Promise((resolve) => {
      try {
        const request = indexedDB.open("mteval-held", 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore("rows", { keyPath: ["base", "number"] });
          request.result.createObjectStore("marks", { keyPath: ["base", "number"] });
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = request.onblocked = () => resolve(null);
      } catch {
        resolve(null);
      }
    });
  let database = null;
  const use = async (name, mode, action) => {
    const db = await (database ??= opened());
    if (!db) return undefined;
    return new Promise((resolve) => {
      const transaction = db.transaction(name, mode);
      const request = action(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request?.result);
      // A full disk: what is held is a convenience, the page still has it.
      transaction.onabort = transaction.onerror = () => resolve(undefined);
    });
  };
  const isMine = (each) => each.owner === owner;
  const isOurs = (each) => isMine(each) && each.base === base;
  const all = async (name, isWanted = isOurs) => {
    const found = (await use(name, "readonly", (each) => each.getAll())) ?? [];
    const oldest = Date.now() - LONGEST_MS;
    for (const each of found)
      if (!(each.at > oldest))
        use(name, "readwrite", (rows) => rows.delete([each.base, each.number]));
    return found.filter((each) => isWanted(each) && each.at > oldest);
  };
  // Those of this site: another one may be served below the same name.
  const workers = async () => {
    const ofSite = (each) =>
      [each.active, each.waiting, each.installing].some((script) => script?.scriptURL.endsWith("/judge/worker.js"));
    return ((await navigator.serviceWorker?.getRegistrations()) ?? []).filter(
      (each) => ofSite(each) && (!home || each.scope.startsWith(new URL(home, location.href).href)),
    );
  };

  // ---- Clearing ----------------------------------------------------------------------------
  const clear = async () => {
    for (const name of ["rows", "marks"]) await use(name, "readwrite", (each) => each.clear());
    if ("caches" in window)
      for (const name of await caches.keys())
        if (name.startsWith("mteval-")) await caches.delete(name);
    for (const each of await workers()) await each.unregister();
    store((s) => s.removeItem(HOLDER));
  };
  const holder = store((s) => s.getItem(HOLDER));
  const isElsewhere = holder && holder !== owner;
  const cleared = isElsewhere || (holder && !isWanted()) ? clear() : Promise.resolve();

  // Until the start page had it, too, the worker was that of the judging pages alone.
  const giveUpOld = async () => {
    for (const each of await workers())
      if (each.scope.endsWith("/judge/")) await each.unregister();
  };

  // ---- Holding: on pages where one judges ---------------------------------------------------
  const holds = () => Boolean(owner && base && worker && isWanted());
  const begun = cleared.then(() => {
    if (!holds()) return;
    store((s) => s.setItem(HOLDER, owner));
    // Without a worker, what is held is of use only while a page is open.
    const options = { scope: home, updateViaCache: "none" };
    navigator.serviceWorker?.register(worker, options).then(giveUpOld).catch(() => {});
  });
  const put = (name, each) =>
    begun.then(() => {
      if (holds()) use(name, "readwrite", (rows) => rows.put({ ...each, owner, base }));
    });
  const remove = (name, number) => use(name, "readwrite", (rows) => rows.delete([base, number]));
  const found = (name) => begun.then(() => (holds() ? all(name) : []));

  // The work is done, or not open: none of it is needed here.
  const end = async () => {
    for (const name of ["rows", "marks"])
      for (const { number } of await all(name)) await remove(name, number);
    for (const name of "caches" in window ? await caches.keys() : [])
      if (name.startsWith("mteval-pages-")) await (await caches.open(name)).delete(base);
      else if (name === `mteval-media-${owner}-${base}`) await caches.delete(name);
  };
  if (holder === owner && "ended" in document.body.dataset) cleared.then(end);

  window.mtevalHeld = {
    holds: () => begun.then(holds),
    rows: () => found("rows"),
    marks: () => found("marks"),
    keep: (row) => put("rows", row),
    // Of all work of this person.
    everything: async (name) => {
      await cleared;
      return all(name, isMine);
    },
    drop: (number) => holds() && remove("rows", number),
    // An item was answered; judged: how many there are now.
    mark: (number, summary, judged) =>
      put("marks", { number, summary, judged, at: Date.now() }),
    unmark: (number) => holds() && remove("marks", number),
  };

  // ---- The setting of this device -----------------------------------------------------------
  // It is part of the page of settings, which also opens beside the work.
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-holds]");
    if (!button) return;
    const isOn = button.dataset.holds === "yes";
    store((s) => (isOn ? s.removeItem(NEVER) : s.setItem(NEVER, "1")));
    if (!isOn) await clear();
    showSetting(button.closest("section"));
  });
  const showSetting = (section) => {
    const now = isWanted() ? "no" : "yes"; // what can be done
    section.hidden = false;
    for (const part of section.querySelectorAll("[data-holds]"))
      part.hidden = part.dataset.holds !== now;
    for (const part of section.querySelectorAll("[data-held]"))
      part.hidden = part.dataset.held === now;
  };
  const showAny = () => {
    const section = document.getElementById("device");
    if (section && navigator.serviceWorker) showSetting(section);
  };
  showAny();
  const dialog = document.getElementById("settings");
  if (dialog) new MutationObserver(showAny).observe(dialog, { childList: true, subtree: true });
})();
