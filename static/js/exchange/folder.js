// A browser sends the files of a folder by their names alone. Their paths go beside, in a field.
"use strict";
const note = (form) => {
  for (const field of form?.querySelectorAll("[data-paths-of]") ?? []) {
    const { files } = document.getElementById(field.dataset.pathsOf);
    const paths = [...files].map((file) => file.webkitRelativePath || file.name);
    field.value = JSON.stringify(paths);
  }
};
document.addEventListener("change", (event) => note(event.target.form));
document.addEventListener("submit", (event) => note(event.target), true);
