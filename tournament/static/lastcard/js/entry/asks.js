// Shows which phones ask to join this table ([data-asks]: templates/desk/table_base.html), and sends the answer without
// leaving the page. Nobody is asked while nobody looks.
//
// Shows also what a referee waits for here: each part with an id and data-waits (that help comes, that the stage begins) is
// taken anew from the page when something was saved in the event. A part that is gone there means a page of another kind.

import { whenChanged } from "../watch/event_stream.js";

const EVERY = 5_000; // ms
const SOON = 100; // ms: saves that come together are looked at together

const place = document.querySelector("[data-asks]");

async function look() {
  if (document.hidden || !navigator.onLine) return;
  try {
    // By this header the service worker knows a part of a page.
    const answer = await fetch(place.dataset.asks, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const asked = [...part.querySelectorAll("form")];
    const uids = (forms) => forms.map((form) => form.elements.namedItem("ask").value).join();
    if (uids(asked) !== uids([...place.querySelectorAll("form")])) place.replaceChildren(...asked);
  } catch {
    // no network: the next look may find one
  }
}

async function lookAtWaits() {
  const parts = [...document.querySelectorAll("[data-waits]")];
  if (!parts.length || document.hidden) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of parts) {
      const now = page.getElementById(part.id);
      if (!now) return location.reload();
      if (now.textContent === part.textContent) continue;
      part.replaceWith(document.adoptNode(now));
      globalThis.htmx?.process(now);
    }
  } catch {
    // no network: the next change tells
  }
}

let soon = 0;
whenChanged(
  place.dataset.scope,
  () => {
    clearTimeout(soon);
    soon = setTimeout(lookAtWaits, SOON);
  },
  place.dataset.version,
);
place.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const body = new FormData(form, event.submitter);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type === "opaqueredirect") form.remove();
  } catch {
    look(); // it is still there to be answered
  }
});
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
look();
