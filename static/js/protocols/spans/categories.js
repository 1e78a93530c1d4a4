// Marking errors: their categories, chosen by letters down the tree, from those used last, or from
// a list.

const N_LAST = 5;
const DELETES = "d"; // no category has it: judgments/protocols/spans/screen.py
const button = (key, name, act, label = "") => {
  const node = document.createElement("button");
  const hint = document.createElement("kbd");
  const words = document.createElement("span");
  node.type = "button";
  hint.setAttribute("aria-hidden", "true");
  hint.textContent = key;
  words.textContent = name;
  if (label) node.setAttribute("aria-label", label);
  node.append(...(key ? [hint, " "] : []), words);
  node.addEventListener("click", act);
  return node;
};

// The kinds of error that were used last keep their places, and so their keys; a new one takes
// the place of the one that was not used for the longest time. They live as long as the tab.
const lastUsed = (m) => {
  const name = `mteval-kinds-${document.getElementById("answer")?.dataset.base}`;
  const first = Math.max(N_LAST, m.severities.length + 1);
  const all = (() => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(name));
      return kept.filter((kind) => m.severity(kind.severity) && m.categories[kind.category]);
    } catch {
      return []; // nothing is kept, or storage is forbidden
    }
  })();
  const latest = () => all.reduce((a, b) => (a && a.at > b.at ? a : b), null);
  const remember = ({ severity, category }) => {
    if (!m.categories[category] || category === m.rules.nonTranslation) return;
    const at = (latest()?.at ?? 0) + 1;
    let kind = all.find((each) => each.category === category);
    if (!kind && all.length < Math.max(1, 10 - first)) all.push((kind = {}));
    kind ??= all.reduce((a, b) => (a?.at < b.at ? a : b), undefined);
    if (!kind) return;
    Object.assign(kind, { severity, category, at });
    try {
      sessionStorage.setItem(name, JSON.stringify(all));
    } catch {
      // they last until the page is left
    }
  };
  return { all, first, latest, remember };
};

// What the active error, or the chosen words, are given.
const giving = (m, last) => {
  const setCategory = (category) => {
    const { active } = m;
    if (!active) return;
    if (m.clash(active, { category })) return m.refuse(m.words.twice);
    active.category = category;
    m.isChoosing = false;
    last.remember(active);
    m.changed(m.describe(active));
  };
  const setKind = (kind, isWhole) => {
    if (!kind) return m.refuse(m.words.noKind);
    if (m.active && !m.isWhole(m.active) && !m.isMark(m.active)) {
      if (isWhole) m.active.severity = kind.severity;
      return setCategory(kind.category);
    }
    const range = m.current?.range();
    if (!range) return m.refuse(m.words.chooseFirst);
    const { severity, category } = kind;
    m.add({ side: m.current.side, ...range, severity, category, prefill: "" });
    if (m.active?.category === category) last.remember(m.active);
  };
  return { setCategory, setKind, again: () => setKind(last.latest(), true) };
};

// Down the tree: letters lead from a branch to what is below it.
const tree = (m, gave) => {
  let path = [];
  const level = () => path.at(-1)?.below ?? m.rules.tree;
  const offer = () => {
    const offered = level().map(({ key, name }) => `${key} ${name}`);
    m.say(`${m.describe(m.active)}. ${m.words.category}: ${offered.join(", ")}`);
  };
  const choosing = () => {
    path = [];
    m.isChoosing = true;
    offer();
    m.focus();
    // Above the dock it is in sight already, and the page stays where it is.
    const { top, bottom } = m.edit.getBoundingClientRect();
    if (top < 0 || bottom > document.querySelector(".dock").getBoundingClientRect().top + 1)
      m.edit.scrollIntoView({ block: "nearest" });
  };
  const take = (node) => {
    if (!node) return m.refuse(m.words.noCategory);
    if (!node.below) return gave.setCategory(node.slug);
    path.push(node);
    return offer();
  };
  const back = () => {
    if (path.pop()) offer();
    else leave();
  };
  const leave = () => {
    m.isChoosing = false;
    m.say(m.describe(m.active));
  };
  // Letters as they stand on the keyboard, where its layout has others than a to z.
  const letterOf = ({ key, code }) =>
    /^[a-z]$/i.test(key) ? key.toLowerCase() : code.match(/^Key([A-Z])$/)?.[1].toLowerCase();
  // While a category is chosen, every letter is one of the tree and never a key of the screen;
  // but what deletes an error always does.
  const chooseKey = (event) => {
    if (!m.isChoosing || !m.active) return false;
    if (event.key === "Escape") leave();
    else if (event.key === "Backspace" && path.length) back();
    else if (letterOf(event) === DELETES) m.act.delete();
    else if (/^\p{L}$/u.test(event.key)) {
      take(level().find(({ key }) => key === letterOf(event)));
    } else return false;
    return true;
  };
  return { choosing, chooseKey, take, back, level, path: () => path };
};

// The buttons for all this.
const panel = (m, last, gave, own) => {
  const kinds = m.question.querySelector("[data-part=kinds]");
  const nameOf = (category) => m.categories[category].split(": ").at(-1);
  const lastButtons = (isWhole) =>
    last.all.map((kind, i) => {
      const full = m.categories[kind.category];
      const spoken = isWhole
        ? `${m.severity(kind.severity).name}, ${full}`
        : full;
      const node = button(
        last.first + i > 9 ? "" : last.first + i,
        nameOf(kind.category),
        () => {
          gave.setKind(kind, isWhole);
          m.focus();
        },
        spoken,
      );
      node.className = isWhole ? m.look(kind) : "";
      return node;
    });
  const treeButtons = () => [
    ...(own.path().length ? [button("⌫", `‹ ${own.path().at(-1).name}`, own.back)] : []),
    ...own.level().map((node) =>
      button(node.key, node.below ? `${node.name} …` : node.name, () => {
        own.take(node);
        // The pressed button is gone; whoever goes on by Tab finds the next ones.
        if (m.isChoosing) kinds.querySelector("button").focus({ preventScroll: true });
        else m.focus();
      }),
    ),
  ];
  const drawKinds = () => {
    const { active } = m;
    if (!active || m.isWhole(active) || !m.hasCategories) m.isChoosing = false;
    const isWhole = Boolean(active) && (m.isWhole(active) || m.isMark(active));
    let nodes = [];
    if (m.isChoosing) {
      nodes = [...(own.path().length ? [] : lastButtons(false)), ...treeButtons()];
    } else if (active && !isWhole) {
      const name = active.category ? nameOf(active.category) : m.words.chooseOne;
      nodes = [button("c", name, own.choosing, `${m.words.category}: ${name}`)];
    } else if (!isWhole && m.current?.range()) nodes = lastButtons(true);
    kinds.replaceChildren(...nodes);
    kinds.closest(".span-tools").classList.toggle("is-choosing", m.isChoosing);
  };
  return { drawKinds };
};

const listed = (m, gave) => {
  m.select.addEventListener("change", (event) => {
    event.stopPropagation();
    gave.setCategory(m.select.value);
  });
  m.select.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    m.isChoosing = false;
    m.focus();
    m.draw();
  });
};

const categories = (m) => {
  if (!m.hasCategories || !m.select) return { drawKinds() {}, chooseKey: () => false, kindKey: () => false };
  const last = lastUsed(m);
  const gave = giving(m, last);
  const own = tree(m, gave);
  listed(m, gave);
  // The key of a kind that was used last, or of the last one of all.
  const kindKey = ({ key }) => {
    const kind = /^[1-9]$/.test(key) && last.all[key - last.first];
    if (kind) gave.setKind(kind, false);
    else if (key === "e") gave.again();
    else return false;
    return true;
  };
  return { ...own, ...panel(m, last, gave, own), kindKey, remember: last.remember };
};

export { categories };
