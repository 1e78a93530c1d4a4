// Messages of managers: said to a screen reader, put away without leaving the page, and fetched when
// the site tells, with what became of an answer, that there are some.
const box = document.getElementById("messages");

if (box) {
  const said = document.createElement("p");
  said.className = "visually-hidden";
  said.setAttribute("role", "status");
  box.before(said);
  // Set a moment after the region is there, or it is not said.
  const say = () => setTimeout(() => (said.textContent = box.textContent.trim()), 100);
  if (box.children.length) say();

  box.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.elements.stays) return; // no answer is on this page
    event.preventDefault();
    const response = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
    if (!response?.ok) return; // it stays, and can be put away later
    form.closest(".inbox").remove();
    said.textContent = "";
    document.getElementById("main").focus({ preventScroll: true });
  });

  const { base } = document.body.dataset;
  window.mtevalQueue?.onOutcome(async (_, outcome) => {
    if (!outcome.message || !base) return;
    const response = await fetch(`${base}messages/`).catch(() => null);
    if (!response?.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    box.replaceChildren(...page.getElementById("messages").children);
    say();
  });
}
