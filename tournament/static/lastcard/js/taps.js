// Taps of a running game: form[data-tap] is sent in the background, one after another in the order of tapping, and kept
// until the server has answered. A tap carries the seconds that the clock showed and an id of its own, so sending it
// again is harmless and slow wifi costs nobody a minute.
//
// The page is shown anew when the last tap in the queue is answered, never between two. What was not sent is in
// sessionStorage: a reload, or signing in again, sends it.

const KEY = "lastcard:taps";
const PATIENCE = 12_000; // ms for an answer
const LONGEST_PAUSE = 10_000; // ms between two tries

let queue = [];
let busy = false;

try {
  queue = JSON.parse(sessionStorage.getItem(KEY)) ?? [];
} catch {
  queue = []; // storage switched off
}

function remember() {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(queue));
  } catch {
    // storage switched off: the queue lives as long as the page
  }
}

const words = () => document.getElementById("desk-words").dataset;
const clock = () => document.querySelector("game-clock");

function status(text) {
  const line = document.querySelector("[data-tap-status]") ?? document.getElementById("messages");
  line.textContent = text;
}

const sending = () => words().wordSending.replace("{n}", queue.length);

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-tap]")) return;
  event.preventDefault();
  const elapsed = form.elements.elapsed_s;
  if (elapsed && clock()) elapsed.value = clock().elapsedNow;
  queue.push({ url: form.action, fields: [...new FormData(form)], page: location.pathname });
  remember();
  const hint = form.querySelector(".tap__hint");
  if (hint) hint.textContent = words().wordTapped.replace("{time}", document.querySelector("[data-clock-face]").textContent);
  form.querySelector(".tap")?.setAttribute("aria-pressed", "true");
  status(sending());
  send();
});

/** Wait, but no longer than until the network is back. */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
  });
}

async function post(tap) {
  const body = new URLSearchParams(tap.fields);
  const token = document.querySelector("[name='csrfmiddlewaretoken']");
  if (token) body.set("csrfmiddlewaretoken", token.value); // the page's own, which outlives a new sign-in
  const response = await fetch(tap.url, { method: "POST", body, signal: AbortSignal.timeout?.(PATIENCE) });
  if (response.status >= 500) throw new Error(String(response.status));
  return response;
}

async function send() {
  if (busy) return;
  busy = true;
  let shown = null;
  let problem = false;
  for (let wait = 1000; queue.length; ) {
    let response;
    let text;
    try {
      response = await post(queue[0]);
      text = await response.text();
    } catch {
      status(words().wordTapKept);
      await pause(wait);
      wait = Math.min(wait * 2, LONGEST_PAUSE);
      continue;
    }
    if (new URL(response.url).pathname.includes("/sign-in/")) {
      location.assign(`${new URL(response.url).pathname}?next=${encodeURIComponent(queue[0].page)}`);
      return; // the queue is remembered and goes on after signing in
    }
    if (response.status === 403) {
      busy = false;
      status(words().wordOld);
      return;
    }
    const tap = queue.shift();
    remember();
    wait = 1000;
    // A problem is shown rather than what came after it; nothing is shown over another page.
    if (!problem && tap.page === location.pathname) shown = { text, url: response.url, ok: response.ok };
    problem ||= !response.ok;
    if (queue.length) status(sending());
  }
  busy = false;
  if (shown) show(shown);
}

function show({ text, url, ok }) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const main = next.getElementById("main");
  if (!main) return location.reload();
  const now = document.getElementById("main");
  const adopted = document.adoptNode(main);
  now.replaceWith(adopted);
  if (ok) history.replaceState(history.state, "", url);
  document.title = next.title;
  globalThis.htmx?.process(adopted);
  adopted.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail: { elt: adopted } }));
  if (!adopted.contains(document.activeElement)) adopted.focus({ preventScroll: true });
}

// At the hour the hands of those who remain open by themselves, with or without network.
document.addEventListener("clock:limit", () => {
  for (const part of document.querySelectorAll("[data-at-limit]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-until-limit]")) part.hidden = true;
});

// Back at the phone: what another referee tapped meanwhile.
document.addEventListener("visibilitychange", async () => {
  if (document.visibilityState !== "visible" || queue.length || !document.querySelector("tap-queue")) return;
  if (document.querySelector("[data-at-limit]:not([hidden])")) return;
  try {
    const response = await fetch(location.pathname, { signal: AbortSignal.timeout?.(PATIENCE) });
    if (response.ok && !queue.length) show({ text: await response.text(), url: location.href, ok: true });
  } catch {
    // no network: the page stays as it is
  }
});

if (queue.length) {
  status(sending());
  send();
}
