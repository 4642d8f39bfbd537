// Answers that wait in the browser until they are sent, where the study allows it; cleared when it does not.
"use strict";

const StudyOffline = (() => {
  const NAME = "sfumato-studies", STORE = "entries";
  const cacheOf = (study) => `sfumato-enter-${study}`;

  function opened() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, {keyPath: ["study", "key"]});
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }

  async function within(mode, act) {
    const database = await opened();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, mode, {durability: "strict"});
        const request = act(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  }

  const put = (record) => within("readwrite", (store) => store.put(record));
  const remove = (study, key) => within("readwrite", (store) => store.delete([study, key]));
  const get = (study, key) => within("readonly", (store) => store.get([study, key]));

  // what waits for a study, of everybody who uses this browser
  async function waiting(study) {
    return (await within("readonly", (store) => store.getAll())).filter((record) => record.study === study);
  }

  async function register(enter) {
    if (!("serviceWorker" in navigator)) return;
    await navigator.serviceWorker.register(`${enter}worker.js`, {scope: enter});
  }

  // copies of the sections, so that all of them can be opened without a connection
  async function keep(study, urls) {
    if (!("caches" in window)) return;
    const cache = await caches.open(cacheOf(study));
    for (const url of urls) {
      const answer = await fetch(url, {credentials: "same-origin"});
      if (answer.ok && !answer.redirected) await cache.put(url, answer);
    }
  }

  // copies of pages and the worker go; answers of a user that wait go too if one is named
  async function clear(study, enter, user = "") {
    const known = await indexedDB.databases?.() ?? [{name: NAME}];
    if (user && known.some((database) => database.name === NAME)) {
      for (const record of await waiting(study)) if (record.user === user) await remove(study, record.key);
    }
    if ("serviceWorker" in navigator) {
      const place = await navigator.serviceWorker.getRegistration(enter);
      if (place && new URL(place.scope).pathname === enter) await place.unregister();
    }
    if ("caches" in window) await caches.delete(cacheOf(study));
  }

  return {put, get, remove, waiting, register, keep, clear};
})();
