// A form whose files were refused is shown again with the files still chosen: what was chosen moves
// into the new page.
"use strict";
const keep = (form, main) => {
  for (const chosen of form.querySelectorAll("input[type=file]")) {
    const place = main.querySelector(`#${CSS.escape(chosen.id)}`);
    if (place) {
      chosen.removeAttribute("aria-invalid");
      for (const { name, value } of place.attributes) chosen.setAttribute(name, value);
      place.replaceWith(chosen);
    }
  }
  document.querySelector("main").replaceWith(main);
  main.querySelector(".error-summary")?.focus();
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-keeps-files]")) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  try {
    const headers = { "X-Keeps-Files": "1" };
    const body = new FormData(form, event.submitter);
    const answer = await fetch(form.action, { method: "POST", body, headers });
    const led = answer.headers.get("Location");
    if (led) return location.assign(led);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector("main");
    if (!main) return form.submit(); // the browser shows what that says
    keep(form, main);
  } catch {
    form.submit();
  } finally {
    form.ariaBusy = "false";
  }
});
