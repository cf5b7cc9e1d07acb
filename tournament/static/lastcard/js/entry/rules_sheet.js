// The rules over the page of a table: a tap on [data-rules-sheet], a link to their page, shows them in a dialog. The page
// under it stays as it was, with all that was typed. Escape, the button and the way back close it.
//
// The page of the rules is fetched once the table's page is there, so that the sheet also opens without a network. Where
// it never came, the link is an ordinary one.

import { keepOffline } from "../outbox/offline.js";
import { findRules } from "../watch/rule_finder.js";

const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("rules-sheet"));
const body = /** @type {HTMLElement} */ (sheet.querySelector("[data-body]"));
let opened = false; // whether the way back closes it
const link = () => /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-rules-sheet]"));

async function load() {
  if (body.hasChildNodes() || !link()) return;
  const { href } = link();
  const isKept = navigator.serviceWorker?.controller; // by the worker, as it comes
  const answer = await fetch(href).catch(() => caches.match(href, { ignoreVary: true }));
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const rules = /** @type {HTMLElement | null} */ (page.querySelector(".rules"));
  if (!rules) return;
  sheet.querySelector("h2").textContent = page.querySelector("h1").textContent;
  body.replaceChildren(document.importNode(rules, true));
  const { ask } = findRules(/** @type {HTMLElement} */ (body.firstElementChild));
  await ask();
  if (!isKept) keepOffline(href);
}

document.addEventListener("click", async (event) => {
  const tile = /** @type {Element} */ (event.target).closest("a[data-rules-sheet]");
  if (!tile || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await load().catch(() => {});
  if (!body.hasChildNodes()) return location.assign(link().href);
  history.pushState({ rules: true }, "");
  opened = true;
  sheet.showModal();
  body.scrollTop = 0;
});
sheet.querySelector("button").addEventListener("click", () => sheet.close());
sheet.addEventListener("click", (event) => event.target === sheet && sheet.close()); // beside it
sheet.addEventListener("close", () => {
  if (opened) history.back();
  link()?.focus({ preventScroll: true });
});
// Before htmx, which would load the page again.
window.addEventListener(
  "popstate",
  (event) => {
    if (!opened) return;
    opened = false;
    event.stopImmediatePropagation();
    sheet.close();
  },
  { capture: true },
);

const early = () => load().catch(() => {}); // no network: a tap asks again
if (document.readyState === "complete") early();
else window.addEventListener("load", early, { once: true });
