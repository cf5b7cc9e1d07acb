// Every page's script: menus that close, forms that are sent once, a word before unsent entries are left behind.
// Larger parts (entry/card_pad.js, entry/clock.js, entry/heat.js) are custom elements and come with their own markup.

import { hyphenateNames } from "./hyphens.js";
import { reached } from "./reached.js";

const isButton = (element) => element.matches("button:not([type='button'], [type='reset']), input[type='submit']");

/** Whether the answer is a file, with which this page stays: by data-file of the form or of its button. */
const isFile = ({ target, submitter }) => Boolean(target.matches("[data-file]") || submitter?.matches("[data-file]"));

/** The buttons that send this form, also those outside it that name it. */
const submitters = (form) => [...form.elements].filter(isButton);

const SLOW = 600; // milliseconds until an answer that is on its way is told of (components/_waiting.html)
const waiting = document.querySelector("[data-moment]");
let blink = null;

function wait() {
  blink ??= setTimeout(() => waiting && (waiting.textContent = waiting.dataset.moment), SLOW);
}

function waitNoMore() {
  clearTimeout(blink);
  blink = null;
  waiting?.replaceChildren();
}

/** Where the button's words are: Save has its state beside them (entry/save.js). */
const labelOf = (button) => button.querySelector("[data-save-label]") ?? button;

function hold(form) {
  for (const button of submitters(form)) {
    if (button.disabled) continue;
    button.disabled = true;
    button.dataset.held = "";
    button.setAttribute("aria-busy", "true");
    if (button.dataset.busy) {
      button.dataset.word = labelOf(button).textContent;
      labelOf(button).textContent = button.dataset.busy;
    }
  }
}

/** @param {Document | HTMLElement} root */
function release(root = document) {
  for (const button of root.querySelectorAll("button[data-held]")) {
    button.disabled = false;
    button.removeAttribute("aria-busy");
    if (button.dataset.word) labelOf(button).textContent = button.dataset.word;
    delete button.dataset.held;
    delete button.dataset.word;
  }
}

/** A link into what is folded opens it; not every browser does so by itself. */
function unfold() {
  const folded = document.querySelector(":target")?.closest("details");
  if (folded) folded.open = true;
}
window.addEventListener("hashchange", unfold);
unfold();
hyphenateNames();

const byHtmx = (form) => form.matches("[hx-post], [hx-get], [data-hx-post]");

// Where the network leads nowhere, the browser would put a page of its own in the place of what was typed. So the server is
// asked for first, from the moment that a finger is on the button, and else the form stays (components/_not_sent.html).
const LOST = 300; // milliseconds until a question counts as lost, and is asked again
const HOLDS = 1_000; // milliseconds for which an answer holds
const notSent = document.querySelector("template#not-sent");
const here = `/${document.documentElement.lang}/no-network/`;
const isThere = async () => navigator.onLine && ((await reached(here, LOST)) || reached(here));
let asked = { at: -Infinity, there: Promise.resolve(false) };
const ask = () => (asked = { at: performance.now(), there: isThere() });
let asking = false;
let reachedBy = null; // the form that the server was reached for

document.addEventListener("pointerdown", ({ target }) => {
  if (notSent && target.closest("button")?.form?.matches("[method=post]:not([data-entry], [hx-post])")) ask();
});
// On the window: what other scripts send by themselves is prevented by then.
window.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  form.querySelector("[data-not-sent]")?.remove();
  if (!notSent || event.defaultPrevented || byHtmx(form) || form.method === "dialog" || form === reachedBy) return;
  if (navigator.onLine && (form.method === "get" || form.target === "_blank")) return;
  event.preventDefault();
  if (asking) return;
  asking = true;
  wait();
  if (performance.now() - asked.at > HOLDS) ask();
  const there = await asked.there;
  await new Promise((resolve) => setTimeout(resolve)); // a form takes no other submission before this event is over
  asked.at = -Infinity; // each tap asks the server again
  waitNoMore();
  asking = false;
  if (there) {
    reachedBy = form;
    form.requestSubmit(submitter);
    reachedBy = null;
  } else {
    form.append(notSent.content.cloneNode(true));
    form.lastElementChild.scrollIntoView({ block: "nearest" }); // not below an action bar
  }
});

// A form is sent once. Disabled only after the browser has read the form, so that the pressed button's value goes along.
window.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "dialog" || form.target === "_blank" || (event.defaultPrevented && !byHtmx(form))) return;
  if (form.matches("[data-guard]")) delete form.dataset.dirty;
  if (event.defaultPrevented || isFile(event)) return;
  setTimeout(() => hold(form), 0);
  wait();
});
/** Focus the button that had it, or the part that took its place, so that Tab goes on from there. */
function giveBack(held, id) {
  const part = held.isConnected ? isButton(held) && held : document.getElementById(id);
  if (!part) return;
  if (part !== held) part.tabIndex = -1;
  part.focus({ preventScroll: true });
}
// htmx has read the form by then. A timer instead might come after a request that failed at once, and hold for good.
// The request itself says when it is over: htmx's events do not reach the document from a form that was replaced meanwhile.
document.addEventListener("htmx:beforeSend", (event) => {
  const held = document.activeElement;
  event.detail.xhr.addEventListener("loadend", () => {
    waitNoMore();
    if (document.activeElement === document.body) giveBack(held, event.detail.target?.id);
  });
  if (!event.detail.elt.getAttribute("hx-trigger")?.startsWith("every")) wait();
  if (event.detail.elt.matches("form")) hold(event.detail.elt);
});
window.addEventListener("pageshow", () => {
  waitNoMore();
  release();
});
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt.closest?.("form");
  if (!form) return;
  release(form);
  if (form.matches("[data-guard]") && !event.detail.successful) form.dataset.dirty = "";
});

// Entries that were not sent: the browser asks before the page goes.
document.addEventListener("input", (event) => {
  const form = event.target.form ?? event.target.closest?.("form");
  if (form?.matches("[data-guard]")) form.dataset.dirty = "";
});
window.addEventListener("beforeunload", (event) => {
  if (document.querySelector("form[data-guard][data-dirty]")) event.preventDefault();
});

// What is shown once is copied by a tap, where the browser lets a page do that (https, or this computer).
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.copied;
  });
}

// Menus close when something else is touched, and on Escape with the focus back on their button.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

/** A summary of errors gets the focus, wherever it came from: a new page or a fragment. */
function focusErrors(root) {
  const summary = root.matches?.("[data-focus]") ? root : root.querySelector?.("[data-focus]");
  summary?.focus();
}
focusErrors(document);
document.addEventListener("htmx:load", (event) => focusErrors(event.detail.elt));
