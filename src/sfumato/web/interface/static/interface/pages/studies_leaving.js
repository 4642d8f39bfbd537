// Signing out: answers that wait in this browser, and pages kept for use without a connection, go; it asks first.
"use strict";

(() => {
  const leave = document.querySelector('form[data-text-leaving]');
  if (!leave || !("indexedDB" in window)) return;

  const finished = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  // returns false if the person stays, as answers wait that signing out would delete
  async function cleared() {
    const databases = await indexedDB.databases?.() ?? [];
    if (databases.some((database) => database.name === "sfumato-studies")) {
      const database = await finished(indexedDB.open("sfumato-studies"));
      const store = () => database.transaction("entries", "readwrite").objectStore("entries");
      const stays = await finished(store().count()) && !confirm(leave.dataset.textLeaving);
      if (!stays) await finished(store().clear());
      database.close();
      if (stays) return false;
    }
    if ("caches" in window) for (const name of await caches.keys()) if (name.startsWith("sfumato-enter-")) await caches.delete(name);
    if ("serviceWorker" in navigator) for (const place of await navigator.serviceWorker.getRegistrations()) await place.unregister();
    return true;
  }

  leave.addEventListener("submit", async (event) => {
    if (leave.dataset.cleared) return;
    event.preventDefault();
    if (!await cleared().catch(() => true)) return;
    leave.dataset.cleared = "yes";
    leave.requestSubmit();
  });
})();
