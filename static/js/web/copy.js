// Copy buttons, beside links and codes that are to be used elsewhere.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const text = button.parentElement.querySelector(".copy-text");
  const said = button.parentElement.querySelector("[role=status]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      said.textContent = button.dataset.copy;
    } catch {
      // Without https, or if the browser forbids it: what is selected can be copied by key.
      getSelection().selectAllChildren(text);
    }
  });
}
