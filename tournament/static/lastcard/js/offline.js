// Pages that open again without a network (service_worker.js), where the browser lets a page do that. They work all the
// same where it does not.

/** Keep this page, what it is made of, and these pages beside it. */
export function keepOffline(...pages) {
  if (!window.isSecureContext || !("serviceWorker" in navigator)) return;
  const parts = () => performance.getEntriesByType("resource").map((part) => part.name);
  navigator.serviceWorker
    .register("/sw.js")
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active.postMessage({ keep: [location.href, ...pages, ...parts()] }))
    .catch(() => {}); // switched off
}
