// The service worker of a page that opens with no network, as that of a table. The server puts VERSION, FILES, SHELL (the page's
// address) and PREFIX (what the names of its caches begin with) before this.
//
// Everything is asked of the network first, so that no kept script ever meets a newer server; what is kept is one whole
// version, and is given only where the network does not answer. What is asked of the API is left alone.
const CACHE = PREFIX + VERSION;
const PATIENCE = 5000;

const keepAll = async () => {
  const cache = await caches.open(CACHE);
  // Without cookies: what is kept is nobody's page.
  const requests = [SHELL, ...FILES].map((address) => new Request(address, { cache: "reload", credentials: "omit" }));
  await cache.addAll(requests);
  await self.skipWaiting();
};

const dropOthers = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
};

const networkFirst = async (request, address) => {
  const kept = async () => (await caches.open(CACHE)).match(address, { ignoreVary: true });
  const fetched = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    const answer = await Promise.race([fetched, late]);
    if (answer && answer.status < 500) return answer;
    return (await kept()) ?? (await fetched);
  } catch {
    return (await kept()) ?? Response.error();
  }
};

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && pathname === SHELL) event.respondWith(networkFirst(request, SHELL));
  else if (FILES.includes(pathname)) event.respondWith(networkFirst(request, pathname));
});
