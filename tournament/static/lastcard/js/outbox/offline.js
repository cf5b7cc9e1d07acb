// Pages that open again without a network (service_worker.js), where the browser lets a page do that. They work all the
// same where it does not.

/** Keep this page, what it is made of, these pages beside it, and the one that is shown where none was kept. */
export function keepOffline(...pages) {
  if (!window.isSecureContext || !("serviceWorker" in navigator)) return;
  const parts = () => performance.getEntriesByType("resource").map((part) => part.name);
  const instead = `/${document.documentElement.lang}/no-network/`;
  navigator.serviceWorker
    .register("/sw.js")
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active.postMessage({ keep: [location.href, instead, ...pages, ...parts()] }))
    .catch(() => {}); // switched off
}
