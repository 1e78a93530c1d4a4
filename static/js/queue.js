// Answers on their way. Each is kept in this browser (IndexedDB) until the site has said that it is
// stored, and they are sent one after the other in the order in which they were given. A key in each
// answer's ticket makes it count once, however often it is sent.
"use strict";
(() => {
  const PATIENCE_MS = 20000;
  const FIRST_PAUSE_MS = 2000;
  const LONGEST_PAUSE_MS = 60000;
  const panel = document.getElementById("waiting");
  if (!panel) return;
  const { owner } = panel.dataset;
  const overlay = document.getElementById("refused");
  const listeners = [];

  // ---- The store -------------------------------------------------------------------------
  const opened = new Promise((resolve) => {
    try {
      const request = indexedDB.open("mteval", 1);
      request.onupgradeneeded = () =>
        request.result.createObjectStore("answers", { keyPath: "id", autoIncrement: true });
      request.onsuccess = () => resolve(request.result);
      request.onerror = request.onblocked = () => resolve(null);
    } catch {
      resolve(null); // forbidden
    }
  });
  // Where storage is forbidden, the page itself has to do; then leaving it is asked about.
  const memory = new Map();
  const use = async (mode, action, otherwise) => {
    const db = await opened;
    if (!db) return otherwise();
    return new Promise((resolve, reject) => {
      const transaction = db.transaction("answers", mode);
      const request = action(transaction.objectStore("answers"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  };
  const put = (answer) =>
    use("readwrite", (answers) => answers.put(answer), () => {
      answer.id ??= memory.size ? Math.max(...memory.keys()) + 1 : 1;
      memory.set(answer.id, answer);
      return answer.id;
    });
  const remove = (id) =>
    use("readwrite", (answers) => answers.delete(id), () => memory.delete(id));
  const all = () => use("readonly", (answers) => answers.getAll(), () => [...memory.values()]);
  const mine = async () => (await all()).filter((answer) => answer.owner === owner);
  window.addEventListener("beforeunload", (event) => {
    if (memory.size) event.preventDefault();
  });

  // ---- Sending ---------------------------------------------------------------------------
  const cookie = (name) =>
    document.cookie.split("; ").find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);

  let pause = FIRST_PAUSE_MS;
  // What became of one answer: `stored`, with what the site said; `refused` for good or for now;
  // `offline`, `signedOut` or `failed`, after which nothing else is tried either.
  const send = async ({ action, body }) => {
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
    };
    const token = cookie("csrftoken"); // a new sign-in in another tab has changed it
    if (token) headers["X-CSRFToken"] = token;
    let response;
    try {
      response = await fetch(action, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (response.ok) return { kind: "stored", ...(await response.json()) };
    } catch {
      return { kind: "offline" };
    }
    // Being started again, or too busy: nothing is wrong with the answer.
    if ([502, 503, 504].includes(response.status)) {
      pause = Math.max(pause, 1000 * (Number(response.headers.get("Retry-After")) || 0));
      return { kind: "offline" };
    }
    if (response.type === "opaqueredirect") return { kind: "signedOut" };
    if (response.status === 400 || response.status === 409) {
      const { problem } = await response.json().catch(() => ({}));
      if (problem) return { kind: "refused", problem };
    }
    return { kind: "failed" };
  };

  let timer = null;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => flush(), pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  };

  // What became of each answer at last: a Map from its number in the store.
  const latest = new Map();
  const sendAll = async () => {
    const outcomes = new Map();
    const keep = (id, outcome) => {
      outcomes.set(id, outcome);
      latest.set(id, outcome);
    };
    for (;;) {
      const answer = (await mine()).find(({ id, refused }) => !refused && !outcomes.has(id));
      if (!answer) break;
      const outcome = await send(answer);
      keep(answer.id, outcome);
      if (outcome.kind === "stored") {
        await remove(answer.id);
        pause = FIRST_PAUSE_MS;
      } else if (outcome.kind !== "refused") {
        for (const { id } of await mine()) if (!outcomes.has(id)) keep(id, outcome);
        later();
        break;
      } else if (outcome.problem === "not-open") {
        later();
      } else {
        await put({ ...answer, refused: outcome.problem });
      }
      for (const listener of listeners) listener(answer, outcome);
    }
    await show();
    return latest;
  };

  // One at a time, also of several tabs; who asks while it runs waits for the next run.
  const locked = (action) =>
    navigator.locks ? navigator.locks.request("mteval-answers", action) : action();
  let last = Promise.resolve();
  const flush = () => {
    clearTimeout(timer);
    last = last.catch(() => {}).then(() => locked(sendAll));
    return last;
  };

  // ---- What the annotator sees ------------------------------------------------------------
  const show = async () => {
    const answers = await mine();
    const n = answers.length;
    panel.hidden = n === 0;
    if (n === 0 && overlay.open) overlay.close();
    const text = panel.querySelector("[data-text]");
    const words = n === 1 ? panel.dataset.one : panel.dataset.many.replace("#", n);
    if (n && text.textContent !== words) text.textContent = words;
  };

  const download = async () => {
    const answers = (await mine()).map(({ title, action, at, refused, body }) => ({
      item: title,
      address: action,
      answered_at: new Date(at).toISOString(),
      refused: refused ?? null,
      answers: Object.fromEntries(new URLSearchParams(body)),
    }));
    const link = document.createElement("a");
    const file = new Blob([JSON.stringify(answers, null, 1)], { type: "application/json" });
    link.href = URL.createObjectURL(file);
    link.download = "mteval-answers.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // The overlay: why the site did not take an answer, and what can be done.
  const explain = (outcome) => {
    const reason = outcome.problem ?? outcome.kind;
    for (const part of overlay.querySelectorAll("[data-reason]"))
      part.hidden = part.dataset.reason !== reason;
    const isFinal = ["not-yours", "stale", "incomplete"].includes(reason);
    overlay.querySelector("[data-action=retry]").hidden = isFinal;
    overlay.querySelector("[data-action=drop]").hidden = !isFinal;
    if (!overlay.open) overlay.showModal();
  };

  const actions = {
    retry: async () => {
      const outcomes = await flush();
      const left = (await mine()).find(({ id }) => outcomes.has(id));
      if (left) explain(outcomes.get(left.id));
      else overlay.close();
    },
    download,
    back: () => overlay.close(),
    drop: async () => {
      for (const { id, refused } of await mine()) if (refused) await remove(id);
      await show();
      overlay.close();
    },
  };
  for (const place of [panel, overlay]) {
    place.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-action]");
      if (button) actions[button.dataset.action]();
    });
  }
  panel.querySelector("[data-action=retry]").addEventListener("click", () => {
    pause = FIRST_PAUSE_MS;
  });

  // ---- When to try again -------------------------------------------------------------------
  const again = () => {
    pause = FIRST_PAUSE_MS;
    if (!panel.hidden) flush();
  };
  window.addEventListener("online", again);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) again();
  });

  window.mtevalQueue = {
    // Keeps an answer; its number in the store.
    put: (answer) => put({ ...answer, owner, at: Date.now() }),
    remove: async (id) => {
      await remove(id);
      await show();
    },
    flush,
    show,
    explain,
    // Called with each answer that was sent, and what became of it.
    onOutcome: (listener) => listeners.push(listener),
    // Whether anything waits that was left by an earlier page.
    waits: async () => (await mine()).length > 0,
  };
  show().then(async () => {
    if (await window.mtevalQueue.waits()) flush();
  });
})();
