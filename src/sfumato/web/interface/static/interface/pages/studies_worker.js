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

// The page makes the store and deletes it; the worker, which outlives its registration until the page is left, only adds.
async function keep(request, fresh) {
  if (await caches.has(CACHE)) await (await caches.open(CACHE)).put(request, fresh.clone());
}

async function answer(request, isPage) {
  try {
    const fresh = await fetch(request);
    if (isPage && fresh.status === 404) {
      await caches.delete(CACHE);  // the study ended for this person
    } else if (fresh.ok && !fresh.redirected && (!isPage || new URL(request.url).pathname === new URL(self.registration.scope).pathname)) {
      await keep(request, fresh);
    }
    return fresh;
  } catch (error) {
    const options = {cacheName: CACHE, ignoreVary: true};
    const kept = await caches.match(request, options) || (isPage && await caches.match(request, {...options, ignoreSearch: true}));
    if (kept) return kept;
    throw error;
  }
}
