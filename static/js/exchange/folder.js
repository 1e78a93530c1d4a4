// A browser sends the files of a folder by their names alone. Their paths go beside, in a field.
"use strict";
for (const field of document.querySelectorAll("[data-paths-of]")) {
  const chooser = document.getElementById(field.dataset.pathsOf);
  const note = () => {
    const paths = [...chooser.files].map((file) => file.webkitRelativePath || file.name);
    field.value = JSON.stringify(paths);
  };
  chooser.addEventListener("change", note);
  chooser.form.addEventListener("submit", note);
}
