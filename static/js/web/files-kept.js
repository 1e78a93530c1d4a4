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

// What was sent may have been stored although no answer came: nothing is sent again by itself.
const NO_ANSWER =
  "The site did not answer. What you sent may have been stored: check before you send it again.";
const sayNoAnswer = (form) => {
  const message = form.querySelector("[data-no-answer]") ?? document.createElement("p");
  message.dataset.noAnswer = "";
  message.className = "message warning";
  message.setAttribute("role", "alert");
  message.textContent = NO_ANSWER;
  form.prepend(message);
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
    if (main) keep(form, main);
    else sayNoAnswer(form);
  } catch {
    sayNoAnswer(form);
  } finally {
    form.ariaBusy = "false";
  }
});
