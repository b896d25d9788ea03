/** The service worker: keeps the page's own files, to show it without a connection. A document always comes
 * from the service if that answers, and nothing of the API is kept. The service writes into it the version
 * of the files, the address of the page for offline, and the addresses of its files. */

const [version, offline, ...files] = JSON.parse(`{kept}`);
const worker = /** @type {any} */ (globalThis);
const NO_SCREEN = /^\/(docs|v1|openapi)/;

const fill = async () => {
  await (await caches.open(version)).addAll([offline, ...files]);
  await worker.skipWaiting();
};

/** Delete the caches of earlier versions. Other apps of the origin have caches, too. */
const clear = async () => {
  for (const name of await caches.keys())
    if (name.startsWith("fogg-") && name !== version) await caches.delete(name);
  await worker.clients.claim();
};

/** The kept answer of an address, for any headers. @param {Request | string} address */
const kept = (address) => caches.match(address, { cacheName: version, ignoreVary: true });

/** @param {Request} request */
const page = (request) =>
  fetch(request).catch(async (error) => {
    const answer = await kept(offline);
    if (!answer) throw error;
    return answer;
  });

/** @param {Request} request */
const file = async (request) => (await kept(request)) ?? fetch(request);

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(clear()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event,
    { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && !NO_SCREEN.test(pathname)) event.respondWith(page(request));
  else if (files.includes(pathname)) event.respondWith(file(request));
});
