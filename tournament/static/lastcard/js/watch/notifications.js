// "Tell me when my seat is ready": on my page, the browser's own notification of what is new while the page is open and
// nobody looks at it; where somebody looks, a line says it. Who wants it and what they know, this phone alone keeps.
//
//   <div data-tell="tournament" data-worker="…" data-word-refused="…" hidden>   with its buttons [data-tell-on] and -off
//   <template data-tell-of="slot" data-is="value" data-title="…" data-text="…">   new where the slot's value is another
//   <body data-watch>   tells js/watch/live.js to listen while nobody looks
//   #messages           where a line is said

import { keep, kept } from "./kept.js";
import { me } from "./me.js";

const KNOWN = 500; // milliseconds within which other tabs read what this one has written

const can = window.isSecureContext && "Notification" in window;
const { player } = document.querySelector("[data-player]").dataset;
const KEY = `lastcard.tell.${part().dataset.tell}`;

let looked = false; // whether this page has been compared with what is known
let letGo = null; // ends that other tabs wait for this one, which is looked at

function part() {
  return document.querySelector("[data-tell]");
}

/** Read what I was told already, by slot; null where I did not ask to be told. */
function known() {
  try {
    const wish = JSON.parse(kept(KEY));
    return wish?.player === player && player === me() ? wish.known : null;
  } catch {
    return null;
  }
}

const know = (slots) => keep(KEY, JSON.stringify({ player, known: slots }));
const here = () => [...document.querySelectorAll("template[data-tell-of]")].map(({ dataset }) => ({ ...dataset }));

function show() {
  const place = part();
  const asked = Notification.permission === "granted" && known() !== null;
  place.hidden = player !== me() || Notification.permission === "denied";
  place.querySelector("[data-tell-on]").hidden = asked;
  place.querySelector("[data-tell-off]").hidden = !asked;
  document.body.toggleAttribute("data-watch", asked);
  wait();
  if (asked) alone(compare);
}

/** One tab at a time, until the others know; and none that is hidden while another one is looked at. */
function alone(compares) {
  if (document.hidden && navigator.locks) navigator.locks.request(KEY, compares);
  else compares();
}

function wait() {
  if (document.hidden) letGo = letGo?.();
  else if (!letGo) {
    const hidden = new Promise((resolve) => (letGo = resolve));
    navigator.locks?.request(KEY, { mode: "shared" }, () => hidden);
  }
}

function compare() {
  const before = known();
  if (!before) return null;
  const now = here();
  const fresh = now.filter(({ tellOf, is }) => before[tellOf] !== is);
  if (fresh.length) know({ ...before, ...Object.fromEntries(now.map(({ tellOf, is }) => [tellOf, is])) });
  if (document.hidden) fresh.forEach(notify);
  else if (looked && fresh.length) say(...fresh.map(({ title, text }) => `${title}. ${text}`));
  looked = true;
  return fresh.length ? new Promise((resolve) => setTimeout(resolve, KNOWN)) : null;
}

function say(...lines) {
  const words = lines.map((textContent) => Object.assign(document.createElement("p"), { className: "notice", textContent }));
  document.getElementById("messages").replaceChildren(...words);
}

/** @param {DOMStringMap} told */
async function notify({ tellOf, is, title, text }) {
  const options = {
    body: text,
    tag: `${tellOf}.${is}`,
    lang: document.documentElement.lang,
    data: { url: location.pathname },
  };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    (await worker()).showNotification(title, options); // phones let a service worker alone do that
  }
}

async function worker() {
  const registration = await navigator.serviceWorker.register(part().dataset.worker);
  const coming = registration.installing;
  if (!registration.active) {
    await new Promise((resolve) => coming.addEventListener("statechange", () => registration.active && resolve()));
  }
  return registration;
}

async function ask() {
  const answer = await Notification.requestPermission();
  if (answer === "granted") know(Object.fromEntries(here().map(({ tellOf, is }) => [tellOf, is])));
  else say(part().dataset.wordRefused);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-tell-on], [data-tell-off]");
  if (!button) return;
  if ("tellOff" in button.dataset) keep(KEY, null);
  else await ask();
  show();
  part().querySelector("button:not([hidden])")?.focus();
});

if (can) {
  document.addEventListener("lastcard:me", show);
  window.addEventListener("storage", (event) => event.key === KEY && show());
  show();
}
