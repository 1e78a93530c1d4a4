// Sound, pictures and videos of the next items, held so that they play without a connection: the
// nearest first, one file at a time, up to a limit. The worker hands them out (worker.js), and
// held.js clears them with all else that is held. What has no room is said.
"use strict";
(() => {
  const { owner, base, heldBytes } = document.body.dataset;
  const held = window.mtevalHeld;
  if (!held || !owner || !Number(heldBytes) || !("caches" in window)) return;
  const PREFIX = "mteval-media-";
  const OURS = `${PREFIX}${owner}-${base}`;
  const LONGEST_MS = 3 * 24 * 3600 * 1000; // as rows and pages
  const GAP_MS = 1000; // between files: the player and the next rows come first
  // Texts of people have no quotation marks of their own in a page: they are escaped.
  const FILE = / src="([^"#]*\/media\/\d+\/)[^"]*"(?: data-bytes="(\d+)")?/g;
  const filesIn = (text) =>
    [...text.matchAll(FILE)].map(([, path, bytes]) => ({ path, bytes: Number(bytes ?? 0) }));

  let items = []; // [[{ path, bytes }, …], …]: the files of each item, the nearest first
  let isRunning = false;
  const here = new Set(); // the paths that are held
  const noRoom = new Set();
  const refused = new Set(); // the site does not give them

  // ---- What there is, and how much more there may be ---------------------------------------------
  const sizeOf = (response) => Number(response.headers.get("X-Bytes"));
  const sizesIn = async (name) => {
    const cache = await caches.open(name);
    const sizes = new Map();
    for (const request of await cache.keys())
      sizes.set(new URL(request.url).pathname, sizeOf(await cache.match(request)));
    return sizes;
  };
  const sum = (sizes) => [...sizes.values()].reduce((all, size) => all + size, 0);

  // Half of what the browser still gives stays free, for answers among other things.
  const room = async (used) => {
    const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
    const given = quota === undefined ? Infinity : Math.max(0, (quota - usage) / 2);
    return Math.min(Number(heldBytes) - used, given);
  };

  // Of other work something may be held: it makes room for what is at hand.
  const makeRoom = async (bytes, used) => {
    if (bytes > Number(heldBytes) - used) return false;
    if (bytes <= (await room(used))) return true;
    const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OURS);
    const theirs = new Map();
    for (const name of others) theirs.set(name, sum(await sizesIn(name)));
    let all = used + sum(theirs);
    // What is deleted counts half.
    if (bytes > (await room(used)) + sum(theirs) / 2) return false;
    for (const [name, size] of theirs) {
      if (bytes <= (await room(all))) break;
      await caches.delete(name);
      all -= size;
    }
    return bytes <= (await room(all));
  };

  // ---- Fetching ----------------------------------------------------------------------------------
  // Whether it is held now; undefined: the site does not give it. Throws without a connection.
  const fetchFile = async (cache, path, used) => {
    const response = await fetch(path, { redirect: "manual", priority: "low" });
    if ([502, 503, 504].includes(response.status)) throw new TypeError("not now");
    const bytes = Number(response.headers.get("Content-Length"));
    if (!response.ok || !bytes) return undefined;
    if (!(await makeRoom(bytes, used))) {
      response.body?.cancel();
      return false;
    }
    const headers = new Headers({ "X-Bytes": bytes, "X-Kept": Date.now() });
    for (const name of ["Content-Type", "Content-Security-Policy", "X-Content-Type-Options"])
      headers.set(name, response.headers.get(name) ?? "");
    await cache.put(path, new Response(response.body, { headers }));
    const { size } = await (await cache.match(path)).blob();
    if (size === bytes) return true;
    await cache.delete(path);
    throw new TypeError("cut short");
  };

  const dropOld = async () => {
    for (const name of await caches.keys()) {
      if (!name.startsWith(PREFIX)) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const at = Number((await cache.match(request)).headers.get("X-Kept"));
        if (!(at > Date.now() - LONGEST_MS)) await cache.delete(request);
      }
    }
  };

  const run = async () => {
    if (!(await held.holds())) return;
    await dropOld();
    const cache = await caches.open(OURS);
    const wanted = new Set(items.flat().map(({ path }) => path));
    for (const request of await cache.keys())
      if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
    const sizes = await sizesIn(OURS);
    for (const set of [here, noRoom]) set.clear();
    for (const path of sizes.keys()) here.add(path);
    for (const { path, bytes } of items.flat()) {
      if (here.has(path) || noRoom.has(path) || refused.has(path)) continue;
      const used = sum(sizes);
      const isHeld = (await makeRoom(bytes, used)) && (await fetchFile(cache, path, used));
      if (isHeld === undefined) refused.add(path);
      else (isHeld ? here : noRoom).add(path);
      if (!isHeld) continue;
      sizes.set(path, sizeOf(await cache.match(path)));
      say();
      await new Promise((resolve) => setTimeout(resolve, GAP_MS));
      if (isStale) return;
    }
  };

  let isStale = false; // other items come next by now
  const runAll = async () => {
    isStale = true;
    if (isRunning) return;
    isRunning = true;
    while (isStale) {
      isStale = false;
      await run().catch(() => {}); // without a connection, or with a full disk: at the next item
    }
    isRunning = false;
    say();
  };

  // ---- Saying ------------------------------------------------------------------------------------
  const say = () => {
    const lasting = items.filter((files) => files.length);
    const isIn = (set) => (files) => files.some(({ path }) => set.has(path));
    const nWithout = lasting.filter(isIn(noRoom)).length;
    const nHeld = lasting.filter((files) => files.every(({ path }) => here.has(path))).length;
    const write = (node, n) => {
      if (!node) return;
      const words = node.dataset.words.replace("##", lasting.length).replace("#", n);
      if (node.textContent !== words) node.textContent = words;
    };
    const line = document.getElementById("media-room");
    if (nWithout) write(line, nWithout);
    line.hidden = nWithout === 0;
    const setting = document.querySelector("#device [data-media-held]");
    if (!setting) return;
    write(setting, nHeld);
    setting.hidden = lasting.length === 0;
  };
  new MutationObserver(say).observe(document.querySelector("#settings [data-content]"), { childList: true });

  window.mtevalHeldMedia = {
    // texts: the rows that come next, in order.
    prepare: (texts) => {
      const shown = [...document.querySelectorAll("#stage :is(.media, .continuous)")].map((each) => each.outerHTML);
      items = [shown.join(""), ...texts].map(filesIn);
      return runAll();
    },
  };
})();
