// A file that is dropped on the form is sent at once; without a script, the file is chosen and the button sends it.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  for (const form of document.querySelectorAll("[data-drop-file]")) {
    const field = form.querySelector("input[type=file]");
    const words = form.querySelector(".drop-words b");
    const over = (event, on) => { event.preventDefault(); form.classList.toggle("over", on); };
    form.addEventListener("dragover", (event) => over(event, true));
    form.addEventListener("dragleave", (event) => over(event, false));
    form.addEventListener("drop", (event) => {
      over(event, false);
      if (!event.dataTransfer.files.length) return;
      field.files = event.dataTransfer.files;
      words.textContent = event.dataTransfer.files[0].name;
      form.requestSubmit();
    });
    // a file dropped beside the form must not open in the browser
    for (const name of ["dragover", "drop"]) {
      window.addEventListener(name, (event) => event.preventDefault());
    }
  }
});
