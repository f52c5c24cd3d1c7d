// The service worker of a page that opens with no network, as that of a table. The server puts VERSION, FILES, SHELL (the page's
// address) and PREFIX (what the names of its caches begin with) before this.
//
// The page is asked of the network first, so that no kept script ever meets a newer server; what is kept is one whole version.
// A page has the scripts of its own version or none: where it is the kept one, the kept files, with a network or without; where
// the server's is newer, only the server's files, and if they do not come the kept page is shown in its stead. What is asked of
// the API is left alone.
const CACHE = PREFIX + VERSION;
const PATIENCE = 5000;
const PARTS = ["script", "style"]; // Without one of these a page is not whole.
const SAYS_VERSION = /<[^>]* data-at data-version="([0-9a-f]+)"/;

// Of the pages that this worker gave: by the id of their window, which version they are. Of those that were open before, nothing.
const versions = new Map();
let isLost = false; // The network, in the middle of a newer page: the next page is the kept one.

const keepAll = async () => {
  const cache = await caches.open(CACHE);
  // Without cookies: what is kept is nobody's page.
  const requests = [SHELL, ...FILES].map((address) => new Request(address, { cache: "reload", credentials: "omit" }));
  await cache.addAll(requests);
};

const dropOthers = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
};

const kept = async (address) => (await caches.open(CACHE)).match(address, { ignoreVary: true });

const networkFirst = async (request, address) => {
  const fetched = fetch(request).then(whole);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    const answer = await Promise.race([fetched, late]);
    if (answer && answer.status < 500) return answer;
    return (await kept(address)) ?? (await fetched);
  } catch {
    return (await kept(address)) ?? Response.error();
  }
};

/**
 * The answer once it has come to its end: the network may be lost in the middle. Made anew, since what is left of a stream that a
 * page which was left did not read keeps a newer worker waiting for minutes.
 */
const whole = async (answer) => (answer.ok ? new Response(await answer.blob(), answer) : answer);

/** A server that cannot now has given nothing. */
const orNone = (answer) => (answer.status < 500 ? answer : Promise.reject(new Error(String(answer.status))));

const pageFor = async ({ request, resultingClientId: id }) => {
  const answer = (isLost && (await kept(SHELL))) || (await networkFirst(request, SHELL));
  isLost = false;
  if (!answer.ok) return answer;
  const text = await answer.text();
  const [, version] = SAYS_VERSION.exec(text) ?? [];
  if (version) versions.set(id, version);
  return new Response(text, answer);
};

const fileFor = async ({ request }, address, version) => {
  if (version === VERSION) return (await kept(address)) ?? fetch(request);
  const fresh = new Request(request, { cache: "no-cache" });
  return version ? fetch(fresh).then(whole).then(orNone) : networkFirst(fresh, address);
};

/** A newer page that loses a file is nothing whole, and the kept one is shown in its stead. */
const orKeptPage = (event, file) => file.catch(async () => {
  const client = await self.clients.get(event.clientId);
  if (versions.delete(event.clientId) && client && (await kept(SHELL))) {
    isLost = true;
    await client.navigate(client.url);
  }
  return Response.error();
});

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
// A page that has all that it is made of says when: one that is only half there would get its other half from this version.
self.addEventListener("message", ({ data }) => data === "take-over" && self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  const version = versions.get(event.clientId);
  const isNewers = version && version !== VERSION && PARTS.includes(request.destination);
  if (request.mode === "navigate" && pathname === SHELL) event.respondWith(pageFor(event));
  else if (isNewers) event.respondWith(orKeptPage(event, fileFor(event, pathname, version)));
  else if (FILES.includes(pathname)) event.respondWith(fileFor(event, pathname, version));
});
