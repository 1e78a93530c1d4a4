// Answers on their way. Each is kept in this browser (IndexedDB) until the site has said that it is
// stored, and they are sent one after the other in the order in which they were given. A key in each
// answer's ticket makes it count once, however often it is sent. waiting.js shows what waits.
"use strict";
(() => {
  const PATIENCE_MS = 20000;
  const FIRST_PAUSE_MS = 2000;
  const LONGEST_PAUSE_MS = 60000;
  const SLOW_MS = 3000; // an answer that is on its way for so long is said to wait
  // Reasons of the site that may pass; any other is for good.
  const MAY_PASS = ["not-open", "removed", "role", "gone"];
  const panel = document.getElementById("waiting");
  if (!panel) return;
  const { owner } = panel.dataset;
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
      // Strict: written to the disk, not only handed over, as a train's battery may end any time.
      const transaction = db.transaction("answers", mode, { durability: "strict" });
      const request = action(transaction.objectStore("answers"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  };
  let nWriting = 0; // answers that are not on the disk yet
  const put = async (answer) => {
    nWriting += 1;
    try {
      return await use("readwrite", (answers) => answers.put(answer), () => {
        answer.id ??= memory.size ? Math.max(...memory.keys()) + 1 : 1;
        memory.set(answer.id, answer);
        return answer.id;
      });
    } finally {
      nWriting -= 1;
    }
  };
  const remove = (id) =>
    use("readwrite", (answers) => answers.delete(id), () => memory.delete(id));
  const all = () => use("readonly", (answers) => answers.getAll(), () => [...memory.values()]);
  const mine = async () => (await all()).filter((answer) => answer.owner === owner);
  // Carries on with what was sent, unless the annotator has put another answer in its place since.
  const settle = (sent, change) =>
    use(
      "readwrite",
      (answers) => {
        const request = answers.get(sent.id);
        request.onsuccess = () => {
          if (request.result?.body === sent.body) change(answers);
        };
        return request;
      },
      () => {
        if (memory.get(sent.id)?.body === sent.body)
          change({ delete: (id) => memory.delete(id), put: (answer) => memory.set(answer.id, answer) });
      },
    );
  window.addEventListener("beforeunload", (event) => {
    if (memory.size || nWriting) event.preventDefault();
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
    if ([400, 403, 404, 409].includes(response.status)) {
      const { problem, reason } = await response.json().catch(() => ({}));
      if (problem) return { kind: "refused", problem, reason, isFinal: !MAY_PASS.includes(problem) };
      if (response.status === 403 && !token) return { kind: "signedOut" }; // the cookies are gone
    }
    return { kind: "failed" };
  };

  let timer = null;
  const later = () => {
    clearTimeout(timer);
    // Only these attempts grow rarer, not those with each answer that is given meanwhile.
    timer = setTimeout(() => {
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      flush();
    }, pause);
  };

  const held = new Set(); // answers that are being changed on this page, and not sent meanwhile
  // What became of each answer at last: a Map from its number in the store.
  const latest = new Map();
  const tell = (answer, outcome) => {
    for (const listener of listeners) listener(answer, outcome);
  };
  const sendAll = async () => {
    const outcomes = new Map();
    const keep = (id, outcome) => {
      outcomes.set(id, outcome);
      latest.set(id, outcome);
    };
    for (;;) {
      const answer = (await mine()).find(
        ({ id, refused }) => !refused && !outcomes.has(id) && !held.has(id),
      );
      if (!answer) break;
      const slow = setTimeout(() => changed(), SLOW_MS);
      const outcome = await send(answer);
      clearTimeout(slow);
      keep(answer.id, outcome);
      if (outcome.kind === "stored") {
        await settle(answer, (answers) => answers.delete(answer.id));
        pause = FIRST_PAUSE_MS;
      } else if (outcome.kind !== "refused") {
        for (const { id } of await mine()) if (!outcomes.has(id)) keep(id, outcome);
        later();
        tell(answer, outcome);
        break;
      } else if (!outcome.isFinal) {
        later(); // it may change
      } else {
        const { problem } = outcome;
        await settle(answer, (answers) => answers.put({ ...answer, refused: problem }));
      }
      tell(answer, outcome);
    }
    return latest;
  };

  // One at a time, also of several tabs; who asks while it runs waits for the next run.
  const locked = (action) =>
    navigator.locks ? navigator.locks.request("mteval-answers", action) : action();
  let last = Promise.resolve();
  let nAsked = 0;
  const flush = () => {
    clearTimeout(timer);
    nAsked += 1;
    last = last
      .catch(() => {})
      .then(() => locked(sendAll))
      .finally(() => {
        nAsked -= 1;
        if (nAsked === 0) changed();
      });
    return last;
  };

  // ---- When to try again -------------------------------------------------------------------
  const again = () => {
    pause = FIRST_PAUSE_MS;
    if (!panel.hidden) flush();
  };
  window.addEventListener("online", again);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) again();
  });

  let changed = () => {};
  window.mtevalQueue = {
    // Keeps an answer; its number in the store. One with an `id` takes the place of that one.
    put: (answer) => put({ ...answer, owner, at: Date.now() }),
    remove: async (id) => {
      held.delete(id);
      await remove(id);
      changed();
    },
    // An answer that is being changed is not sent by this page, until it is released.
    hold: (id) => held.add(id),
    release: (id) => held.delete(id),
    flush: (soon = false) => {
      if (soon) pause = FIRST_PAUSE_MS;
      return flush();
    },
    // Whether nothing is being written or sent just now.
    isIdle: () => nAsked === 0 && nWriting === 0,
    // This owner's answers, the oldest first.
    mine,
    // Called with each answer that was sent, and what became of it.
    onOutcome: (listener) => listeners.push(listener),
    // Called when what waits has changed.
    onChange: (listener) => {
      changed = listener;
    },
  };
  mine().then((answers) => {
    if (answers.length) {
      changed();
      flush();
    }
  });
})();
