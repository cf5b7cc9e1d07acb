// Keeps what others change on a table's open page ([data-asks]: templates/desk/table_base.html) as the server has it, by
// the short part templates/desk/_others.html: which phones ask to join, each answered without leaving the page; whether
// help comes; and the page of a stage that has begun takes the place of the one that waited for it. It is asked for every few
// seconds, and at once when something was saved in the event while a referee waits ([data-waits]). A hidden page asks for nothing.

import { whenChanged } from "../watch/event_stream.js";

const EVERY = 5_000; // ms

const place = document.querySelector("[data-asks]");
const planned = (page) => page.querySelector("[data-planned]");

async function look() {
  if (document.hidden || !navigator.onLine) return;
  try {
    // By this header the service worker knows a part of a page.
    const answer = await fetch(place.dataset.asks, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (planned(document) && !planned(part)) await begin();
    showAsks([...part.querySelectorAll("form")]);
    showCall(part.getElementById("call"));
  } catch {
    // no network: the next look may find one
  }
}

/** Show the page of the stage that has begun, unless a form of this page leads there already (app.js marks it). */
async function begin() {
  if (document.querySelector("[data-held]")) return;
  const answer = await fetch(location.pathname, { redirect: "error" });
  const text = await answer.text();
  if (!answer.ok || !planned(document)) return;
  const held = document.getElementById("main").contains(document.activeElement);
  globalThis.htmx?.swap("#main", text, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 }, { select: "#main", selectOOB: "#room" });
  if (held) document.getElementById("main").focus({ preventScroll: true });
}

function showAsks(asked) {
  const uids = (forms) => forms.map((form) => form.elements.namedItem("ask").value).join();
  if (uids(asked) !== uids([...place.querySelectorAll("form")])) place.replaceChildren(...asked);
}

function showCall(now) {
  const call = document.querySelector("#call[data-waits]");
  if (!call || call.textContent === now?.textContent) return;
  call.replaceWith(document.adoptNode(now));
  globalThis.htmx?.process(now);
}

whenChanged(place.dataset.scope, () => document.querySelector("[data-waits]") && look(), place.dataset.version);
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
