// Sliders that tell, by color and in words, their place among those of the other translations on the
// screen. It is shown as soon as two are set; equal scores share a place.
const LOOKS = ["is-best", "is-worst"];

// Of one dimension: output1-esa and output2-esa.
const beside = (question, scope) => {
  const of = (each) => each.id.replace(/^q-output\d+-/, "");
  return [...scope.querySelectorAll(".slider")].filter((each) => of(each) === of(question));
};

const labelOf = (question) => {
  const found = question.querySelector("[data-part=rank]");
  if (found) return found;
  const made = document.createElement("output");
  made.className = "rank small muted";
  made.dataset.part = "rank";
  question.querySelector("label").after(made);
  return made;
};

document.addEventListener("mteval-set", ({ target }) => {
  const scope = target.closest("[data-ranked]");
  if (!scope) return;
  const all = beside(target, scope);
  const sliders = all.filter((each) => each.classList.contains("is-set"));
  for (const each of all) {
    if (sliders.length > 1 && sliders.includes(each)) continue;
    each.classList.remove(...LOOKS);
    const rank = each.querySelector("[data-part=rank]");
    if (rank) rank.textContent = "";
  }
  if (sliders.length < 2) return;
  const values = sliders.map((each) => Number(each.querySelector("[type=range]").value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  sliders.forEach((each, i) => {
    const isTied = values.filter((value) => value === values[i]).length > 1;
    const rank = 1 + values.filter((value) => value > values[i]).length;
    const words = isTied ? scope.dataset.tied : scope.dataset.ranked;
    labelOf(each).textContent = words.replace("##", sliders.length).replace("#", rank);
    each.classList.remove(...LOOKS);
    if (low === high) return;
    if (values[i] === high) each.classList.add("is-best");
    if (values[i] === low) each.classList.add("is-worst");
  });
});
