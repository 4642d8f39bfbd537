// The message box of a run opens once, when the run has ended.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector("dialog[data-once]");
  if (!box) return;
  const key = `sfumato-seen-${box.dataset.once}`;
  try {
    if (localStorage.getItem(key)) return;
    localStorage.setItem(key, "yes");
  } catch {
    // a browser that keeps nothing shows the box whenever the run is new
  }
  box.show(); // not modal: what comes next on the page stays in reach
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") box.close(); });
});
