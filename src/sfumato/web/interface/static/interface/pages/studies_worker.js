// Answers for the page of new entries while there is no connection: the empty form and what it loads, never answers.
"use strict";

const study = self.registration.scope.split("/").filter(Boolean).at(-2);
const CACHE = `sfumato-enter-${study}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isPage = event.request.mode === "navigate" && event.request.method === "GET";
  const isPart = event.request.method === "GET" && url.pathname.startsWith("/static/");
  if (url.origin !== self.location.origin || !(isPage || isPart)) return;
  event.respondWith(answer(event.request, isPage));
});

async function answer(request, isPage) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (isPage && fresh.status === 404) {
      await caches.delete(CACHE);  // the study ended for this person
    } else if (fresh.ok && !fresh.redirected && (!isPage || new URL(request.url).pathname === new URL(self.registration.scope).pathname)) {
      await cache.put(request, fresh.clone());
    }
    return fresh;
  } catch (error) {
    const kept = await cache.match(request, {ignoreVary: true}) || (isPage && await cache.match(request, {ignoreSearch: true, ignoreVary: true}));
    if (kept) return kept;
    throw error;
  }
}
