// Find a question in the list of columns, and mark those in use. Everything else works without this script.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const finder = document.querySelector(".finder");
  if (!finder) return;
  finder.hidden = false;
  const rows = [...document.querySelectorAll(".lines tbody tr")];
  finder.querySelector("input").addEventListener("input", (event) => {
    event.stopPropagation();
    const letters = event.target.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(letters);
  });
  // Enter in the finder looks for nothing else
  finder.querySelector("input").addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  const mark = () => {
    const used = new Set([...document.querySelectorAll("#condition-editor input[name^='key:']")].map((field) => field.value));
    for (const button of document.querySelectorAll("button.add")) button.classList.toggle("used", used.has(button.value.split(":").pop()));
  };
  document.body.addEventListener("htmx:afterSettle", mark);
  // a column that is chosen shows at once
  document.querySelector(".lines").addEventListener("change", () => {
    document.getElementById("condition-editor").dispatchEvent(new Event("change"));
  });
});
