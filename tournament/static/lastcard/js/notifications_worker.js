// Shows the notifications of js/watch/notifications.js where a page may not do that itself, and leads from one to its page.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.url));
});

/** Show the page at this path: one that is open, else a new one. @param {string} path */
async function show(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find(({ url }) => new URL(url).pathname === path);
  return open ? open.focus() : worker.clients.openWindow(path);
}
