// The plan of a campaign: sliders beside numbers, and what is said of the settings while they change.
"use strict";

// The number is the field; the slider only moves it, so that keyboards and screen readers meet one
// control.
for (const number of document.querySelectorAll("#plan [data-slider]")) {
  const slider = document.createElement("input");
  slider.type = "range";
  slider.tabIndex = -1;
  slider.setAttribute("aria-hidden", "true");
  for (const name of ["min", "max", "step"]) {
    slider.setAttribute(name, number.getAttribute(name));
  }
  slider.value = number.value;
  slider.addEventListener("input", () => {
    number.value = slider.value;
  });
  number.addEventListener("input", () => {
    slider.value = number.value;
  });
  number.after(slider);
}

// What is wrong with a setting is said beside it, too, as it is when the form was sent.
const price = () => document.getElementById("price");
const sayBeside = () => {
  for (const old of document.querySelectorAll("#plan .form-field.has-error")) {
    old.classList.remove("has-error");
    for (const words of old.querySelectorAll(".field-error")) words.remove();
    for (const control of old.querySelectorAll("[aria-invalid]")) {
      control.removeAttribute("aria-invalid");
      if (!document.getElementById(`${control.id}_helptext`)) {
        control.removeAttribute("aria-describedby");
      } else control.setAttribute("aria-describedby", `${control.id}_helptext`);
    }
  }
  for (const each of price().querySelectorAll("[data-field]")) {
    const id = each.dataset.field;
    const control = document.getElementById(id);
    const field = control?.closest(".form-field");
    if (!field) continue;
    const words = document.createElement("p");
    words.className = "field-error";
    words.id = `${id}_error`;
    words.textContent = each.querySelector("span").textContent;
    (document.getElementById(`${id}_helptext`) ?? field.querySelector("label, legend")).after(words);
    field.classList.add("has-error");
    control.setAttribute("aria-invalid", "true");
    const hint = document.getElementById(`${id}_helptext`) ? `${id}_helptext ` : "";
    control.setAttribute("aria-describedby", `${hint}${words.id}`);
    const more = field.closest("details");
    if (more) more.open = true;
  }
};

// A screen reader hears the sentence, and only when it is another one and nobody types.
let waiting;
const sayAloud = () => {
  const status = document.getElementById("plan-said");
  const words = [...price().querySelectorAll("[data-said]")].map((each) => each.textContent.trim());
  if (status.textContent !== words.join(" ")) status.textContent = words.join(" ");
};
document.addEventListener("htmx:afterSettle", () => {
  sayBeside();
  clearTimeout(waiting);
  waiting = setTimeout(sayAloud, 1000);
});
document.addEventListener("input", () => clearTimeout(waiting));

// Settings that were changed before this page listened, or that the browser restored when it came
// back to it, are priced as well.
const isChanged = (control) => {
  if (control.options) {
    return [...control.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (control.type === "checkbox" || control.type === "radio") {
    return control.checked !== control.defaultChecked;
  }
  return "defaultValue" in control && control.value !== control.defaultValue;
};
window.addEventListener("pageshow", () => {
  for (const control of document.getElementById("plan")?.elements ?? []) {
    if (control.name && isChanged(control)) {
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
});
