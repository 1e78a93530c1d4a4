// The service worker of the judging pages and of the start page. It keeps the page that one judges on,
// the page of what is held, and their static files, and hands them out when the site cannot be
// reached: rows.js then opens the item from what is held (held.js), sound, pictures and videos come
// from what held-media.js holds, and in place of the start page held-work.js lists it. It answers
// nothing else: rows and answers go to the site as if it were not there, and of the start page itself
// nothing is kept.
// `VERSION` and `OWN` stand above: judgments/judging/worker.py writes them.
"use strict";
const PAGES = `mteval-pages-${VERSION}`;
const FILES = `mteval-files-${VERSION}`;
const START = `mteval-start-${VERSION}`;
const HELD_MEDIA = "mteval-media-"; // and whose it is, and of which work
const HELD = `${OWN}/judge/held/`; // what stands in place of the start page
const MEDIA = /^\/media\/\d+\/$/;
const SCREEN = /^\/judge\/\d+\/(?:\d+\/)?$/; // below where the site is, `OWN`
const SIGN_OUT = "/sign-out/";
const LONGEST_MS = 3 * 24 * 3600 * 1000;
const PATIENCE_MS = 8000; // a train's network may neither answer nor fail

const pathOf = (url) => new URL(url).pathname.slice(OWN.length);
const baseOf = (url) => `${OWN}${pathOf(url).match(/^\/judge\/\d+\//)[0]}`;
const ownerOf = (text) => text.match(/<body[^>]* data-owner="(\w+)"/)?.[1];
const languageOf = (text) => text.match(/<html lang="([\w-]+)"/)?.[1] ?? "";

// As it is handed out later.
const toKeep = (text, { headers: sent }, owner) => {
  const headers = new Headers(sent);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("X-Owner", owner);
  headers.set("X-Kept", String(Date.now()));
  headers.set("X-Language", languageOf(text));
  return new Response(text.replace(/<body/, "<body data-held"), { headers });
};
const filesOf = (text) => [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map((found) => found[1]);

// The page of what is held: once for a person and their language.
const keepStart = async (owner, language) => {
  const pages = await caches.open(START);
  const kept = await pages.match(HELD);
  if (kept?.headers.get("X-Owner") === owner && kept.headers.get("X-Language") === language) return;
  await pages.delete(HELD);
  const response = await fetch(HELD);
  const text = await response.text();
  if (!response.ok || response.redirected || ownerOf(text) !== owner) return;
  await pages.put(HELD, toKeep(text, response, owner));
  await keepFiles(filesOf(text));
};

// Pages of nobody else stay: what is kept is of the person whose page came last.
const keep = async (url, response) => {
  const text = await response.text();
  const owner = ownerOf(text);
  if (!owner || !text.includes(' data-worker="')) return;
  const pages = await caches.open(PAGES);
  for (const request of await pages.keys()) {
    const kept = await pages.match(request);
    if (kept.headers.get("X-Owner") !== owner) await pages.delete(request);
  }
  for (const name of await caches.keys())
    if (name.startsWith(HELD_MEDIA) && !name.startsWith(`${HELD_MEDIA}${owner}-`)) await caches.delete(name);
  await pages.put(baseOf(url), toKeep(text, response, owner));
  await keepFiles(filesOf(text));
  await keepStart(owner, languageOf(text));
};

// Scripts with those that they import; a file that is kept is there with all of them.
const IMPORTED = /\b(?:from|import)\s*"(\.[^"]+\.js)"/g;
const keepFiles = async (paths) => {
  const files = await caches.open(FILES);
  const wanted = new Set(paths.map((path) => new URL(path, location.href).href));
  const fetched = [];
  for (const url of wanted) {
    if (await files.match(url)) continue;
    const response = await fetch(url);
    if (!response.ok) throw new TypeError(`${url}: ${response.status}`);
    fetched.unshift([url, response.clone()]);
    if (!url.endsWith(".js")) continue;
    for (const [, path] of (await response.text()).matchAll(IMPORTED)) wanted.add(new URL(path, url).href);
  }
  for (const [url, response] of fetched) await files.put(url, response);
};

const keptPage = async (url) => {
  const pages = await caches.open(PAGES);
  const kept = await pages.match(baseOf(url));
  if (kept && Number(kept.headers.get("X-Kept")) > Date.now() - LONGEST_MS) return kept;
  if (kept) await pages.delete(baseOf(url));
  return undefined;
};

// As long as there is a page of the same person to go on with.
const keptStart = async () => {
  const kept = await (await caches.open(START)).match(HELD);
  if (!kept || !(Number(kept.headers.get("X-Kept")) > Date.now() - LONGEST_MS)) return undefined;
  const pages = await caches.open(PAGES);
  for (const request of await pages.keys()) {
    const { headers } = await pages.match(request);
    if (headers.get("X-Owner") === kept.headers.get("X-Owner")) return kept;
  }
  return undefined;
};

// Signing out leads to the start page, which nobody is to find in the former person's place.
const forget = async () => {
  for (const name of await caches.keys()) if (name.startsWith("mteval-")) await caches.delete(name);
};

// What the site answers, or what is kept in its place.
const reached = async (event, kept) => {
  const asked = fetch(event.request);
  asked.catch(() => {}); // it may fail when the other has been handed out
  const silence = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  let response = null;
  try {
    response = await Promise.race([asked, silence.then(kept)]);
    response ??= await asked;
  } catch {
    return (await kept()) ?? Response.error();
  }
  return [502, 503, 504].includes(response.status) ? ((await kept()) ?? response) : response;
};

const page = async (event) => {
  const { url } = event.request;
  const response = await reached(event, () => keptPage(url));
  const isPage = response.ok && !response.headers.has("X-Kept");
  if (isPage) event.waitUntil(keep(url, response.clone()));
  return response;
};

const file = async (request) => {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw error;
  }
};

// ---- Sound, pictures and videos: of the person whose pages are kept, and of nobody else ------------
const A_DAY_MS = 24 * 3600 * 1000; // as long as the site lets a browser keep them without asking
const ageOf = (kept) => Date.now() - Number(kept.headers.get("X-Kept"));
const keptMedia = async (url) => {
  const pages = await caches.open(PAGES);
  const [first] = await pages.keys();
  const owner = first && (await pages.match(first)).headers.get("X-Owner");
  for (const name of owner ? await caches.keys() : []) {
    if (!name.startsWith(`${HELD_MEDIA}${owner}-`)) continue;
    const kept = await (await caches.open(name)).match(url);
    if (kept && ageOf(kept) < LONGEST_MS) return kept;
  }
  return undefined;
};

// The part that a player asks for (RFC 9110, 14): one range, or all of it.
const partOf = async (kept, range) => {
  const blob = await kept.blob();
  const headers = new Headers(kept.headers);
  headers.set("Accept-Ranges", "bytes");
  const [, first = "", last = ""] = range?.match(/^bytes=(\d*)-(\d*)$/) ?? [];
  if (!first && !last) {
    headers.set("Content-Length", blob.size);
    return new Response(blob, { headers });
  }
  const start = first ? Number(first) : Math.max(0, blob.size - Number(last));
  const end = Math.min(first && last ? Number(last) : Infinity, blob.size - 1);
  if (start > end) {
    headers.set("Content-Range", `bytes */${blob.size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set("Content-Range", `bytes ${start}-${end}/${blob.size}`);
  headers.set("Content-Length", end - start + 1);
  return new Response(blob.slice(start, end + 1), { status: 206, headers });
};

const medium = async (request) => {
  const kept = await keptMedia(request.url);
  const part = () => partOf(kept, request.headers.get("Range"));
  if (kept && ageOf(kept) < A_DAY_MS) return part();
  try {
    const response = await fetch(request);
    if (!kept || ![502, 503, 504].includes(response.status)) return response;
  } catch (error) {
    if (!kept) throw error;
  }
  return part();
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "POST" && pathOf(request.url) === SIGN_OUT) event.waitUntil(forget());
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (SCREEN.test(pathOf(request.url))) event.respondWith(page(event));
    else if (pathOf(request.url) === "/") event.respondWith(reached(event, keptStart));
  } else if (MEDIA.test(pathOf(request.url)) && request.destination) {
    event.respondWith(medium(request));
  } else if (["script", "style", "image"].includes(request.destination)) {
    event.respondWith(file(request));
  }
});

// A new version takes over at once: it has the same pages, and its files have names of their own.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("mteval-") && !name.startsWith(HELD_MEDIA) && ![PAGES, FILES, START].includes(name))
          await caches.delete(name);
      await clients.claim();
      // The page that was opened before there was a worker.
      for (const { url } of await clients.matchAll())
        if (SCREEN.test(pathOf(url))) await fetch(url).then((found) => found.ok && !found.redirected && keep(url, found));
    })(),
  );
});
