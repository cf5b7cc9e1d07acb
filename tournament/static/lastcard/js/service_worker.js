// Reopens the desk, the rules, the help and a game of friends without a network, where the browser lets a page do that (https, or this computer).
// Served at /sw.js, so that it sees every page (tournament/views/public/app.py).
//
// A page comes from the network while there is one; a copy of the last that came stands in where none comes, or where
// somebody else answers (a server that is starting, a hotel's sign-in page). What a page is made of is named by its
// content, so a copy of it is as good. Only pages that were opened are kept, of one person: whatever signs somebody in or
// out (an invite, practice, a new event do, too) drops all. A browser that keeps nothing, or has no room, shows what comes.
// Where no page comes and none was kept, no_network.html is shown in its place, whatever the address.
// Nothing that is sent is kept or answered here. What a script fetches is told the truth, and renews the copy of a page.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE = "lastcard";
const PAGES = /^\/[a-z]{2}\/(desk|help|rules)\//;
const NEVER = /^\/[a-z]{2}\/desk\/send\//;
const INSTEAD = /^\/[a-z]{2}\/no-network\/$/;
const FILE = /\.[a-z]+$/; // to be downloaded
const PARTS = "/static/";
const PARTS_OF = /(?:src|href)="(\/static\/[^"]+)"/g;
const DOORS = /^\/[a-z]{2}\/(sign-(in|out)|i|try|admin\/(login|logout))\//;
const FRIENDS = /^\/[a-z]{2}\/score\/$/; // each of its pages answers a form that holds the whole game
const PATIENCE = 6_000; // ms for a page, before the copy is shown

/** @param {Request} request */
const pathOf = (request) => new URL(request.url).pathname;
/** @param {string} path */
const isPage = (path) => PAGES.test(path) && !NEVER.test(path);

/** Whether this asks for all of a page, as it was last saved: no part, and no form filled in by its address.
 * @param {Request} request */
const isWhole = ({ url, headers }) => /^(\?saved=[0-9]+)?$/.test(new URL(url).search) && !headers.has("HX-Request");

/** Whether Lastcard itself answered: every page of it says by whom it may be framed. @param {Response} response */
const isOurs = (response) =>
  response.ok && !response.redirected && response.headers.get("Content-Security-Policy")?.includes("frame-ancestors");

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request);
  if (new URL(request.url).origin !== worker.location.origin || request.method === "HEAD") return; // HEAD only asks who answers
  if (request.method !== "GET") {
    if (request.mode === "navigate" && FRIENDS.test(path)) event.respondWith(scored(event));
    else if (DOORS.test(path) || FRIENDS.test(path)) event.waitUntil(caches.delete(CACHE));
    return;
  }
  if (request.mode === "navigate" && isPage(path)) event.respondWith(page(event));
  else if (request.mode === "navigate" && FRIENDS.test(path)) event.respondWith(friends(request));
  else if (request.mode === "navigate" && !FILE.test(path)) event.respondWith(other(request));
  else if (request.mode !== "navigate" && isPage(path) && isWhole(request)) event.respondWith(renewed(event));
  else if (path.startsWith(PARTS)) event.respondWith(part(event));
});

// Do without whatever the browser refuses to keep or to give.
const opened = () => caches.open(CACHE).catch(() => null);
/** @param {Cache | null} cache @param {RequestInfo} request @param {CacheQueryOptions} how */
const found = (cache, request, how) => (cache ? cache.match(request, how).catch(() => undefined) : undefined);
/** @param {Cache | null} cache @param {RequestInfo} request @param {Response} response */
const put = async (cache, request, response) => cache?.put(request, response).catch(() => {});

/** The page from the network, else the copy. Its address counts without the query: ?saved= shows the same page.
 * @param {FetchEvent} event */
async function page(event) {
  const { request } = event;
  const cache = await opened();
  const copy = () => found(cache, request, { ignoreSearch: true, ignoreVary: true });
  const fresh = fetch(request).then((response) => {
    if (isOurs(response)) event.waitUntil(put(cache, new URL(request.url).pathname, response.clone()));
    return response;
  });
  event.waitUntil(fresh.catch(() => {}));
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE)).then(copy);
  try {
    const response = (await Promise.race([fresh, late])) ?? (await fresh);
    const answered = response.type === "opaqueredirect" || (response.status < 500 && response.headers.has("Content-Security-Policy"));
    return answered ? response : ((await copy()) ?? response);
  } catch {
    return (await copy()) ?? instead(request);
  }
}

/** The page of a game of friends, kept under its address; an event made of it signs somebody in. @param {FetchEvent} event */
async function scored(event) {
  const { request } = event;
  const { pathname } = new URL(request.url);
  try {
    const response = await fetch(request);
    if (response.type === "opaqueredirect") await caches.delete(CACHE);
    else if (isOurs(response)) event.waitUntil(keepGame(pathname, response.clone()));
    return response;
  } catch {
    return (await found(await opened(), pathname, { ignoreVary: true })) ?? instead(request);
  }
}

/** @param {string} path @param {Response} response */
async function keepGame(path, response) {
  const copy = response.clone();
  if ((await response.text()).includes("data-friends-sheet")) await put(await opened(), path, copy);
}

/** What friends may play, from the network; without one the game that they play. @param {Request} request */
async function friends(request) {
  try {
    return await fetch(request);
  } catch {
    return (await found(await opened(), request, { ignoreVary: true })) ?? instead(request);
  }
}

/** A page that is never kept. @param {Request} request */
async function other(request) {
  try {
    return await fetch(request);
  } catch {
    return instead(request);
  }
}

/** The page that says that there is no network, in the language of what was asked for where that one is kept. @param {Request} request */
async function instead(request) {
  const cache = await opened();
  const kept = ((await cache?.keys().catch(() => [])) ?? []).filter((each) => INSTEAD.test(pathOf(each)));
  const language = pathOf(request).slice(0, "/en/".length);
  const best = kept.find((each) => pathOf(each).startsWith(language)) ?? kept[0];
  return (best && (await found(cache, best, { ignoreVary: true }))) ?? Response.error();
}

/** A page that a script fetches to show what is new in it: the copy becomes as new. @param {FetchEvent} event */
async function renewed(event) {
  const { request } = event;
  const cache = await opened(); // before: what was asked for by somebody who left is not kept
  const response = await fetch(request);
  if (isOurs(response)) event.waitUntil(put(cache, new URL(request.url).pathname, response.clone()));
  return response;
}

/** A stylesheet or script: its name changes with its content. @param {FetchEvent} event */
async function part(event) {
  const { request } = event;
  const cache = await opened();
  const copy = await found(cache, request, { ignoreVary: true });
  if (copy && /\.[0-9a-f]{12}\./.test(request.url)) return copy;
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(put(cache, request, response.clone()));
    return response;
  } catch {
    return copy ?? Response.error();
  }
}

// The first page came before this worker did: it names itself and its parts, to be kept too.
worker.addEventListener("message", (event) => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(keep(event.data.keep));
});

/** @param {string[]} addresses */
async function keep(addresses) {
  const cache = await opened();
  for (const address of addresses) {
    const { origin, pathname } = new URL(address, worker.location.href);
    const isInstead = INSTEAD.test(pathname); // nobody opens it, so it is made new here
    if (origin !== worker.location.origin || !(isPage(pathname) || isInstead || pathname.startsWith(PARTS))) continue;
    if (!cache || (!isInstead && (await found(cache, pathname, { ignoreVary: true })))) continue;
    const response = await fetch(pathname).catch(() => null);
    if (!response || !(pathname.startsWith(PARTS) ? response.ok : isOurs(response))) continue;
    if (isInstead) await keep([...(await response.clone().text()).matchAll(PARTS_OF)].map(([, part]) => part));
    await put(cache, pathname, response);
  }
}
