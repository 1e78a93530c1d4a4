// Sliders beside the numbers of a plan. The number is the field; the slider only moves it, so that
// keyboards and screen readers meet one control.
"use strict";

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
