// The service worker of a page that opens without a network: registered, and changed for a newer one when that is safe.

const isLoaded = () =>
  document.readyState === "complete" ? Promise.resolve() : new Promise((done) => addEventListener("load", done, { once: true }));

/**
 * Keep the page at an address for when there is no network. A newer worker takes over once it has its version whole, and this page
 * all that it is made of: it asks for nothing any more that is another one's. By plain http there is no worker.
 */
export const keepPage = async (address) => {
  if (!navigator.serviceWorker) return;
  const kept = await navigator.serviceWorker.register(`${address}sw.js`, { scope: address, updateViaCache: "none" });
  await isLoaded();
  const takeOver = () => kept.waiting?.postMessage("take-over");
  const listen = () => kept.installing?.addEventListener("statechange", takeOver);
  kept.addEventListener("updatefound", listen);
  listen();
  takeOver();
};

/** Fetch a newer version while there is a network, so that it opens without one. */
export const fetchNewer = async () => {
  const kept = await navigator.serviceWorker?.getRegistration();
  await kept?.update();
};
