// Save says its state in one language on every page where something is entered (templates/desk/_save.html):
//
//   [data-state="lack"]    not yet: it says what is missing, and a tap leads there
//   [data-state="ready"]   everything is there, nothing is saved
//   [data-state="saving"]  kept on this phone, on its way to the server
//   [data-state="saved"]   what was entered last is kept, until somebody begins the next
//
// What is missing is known to the form's <card-pad> or <heat-order>, or to the page's own module (`watch`), as
// {text, brief, show}: the sentence above Save, the words on it, and how to get there. Nothing is sent before that is null.
// A tap before anybody can have seen where Save is now saves nothing, and Save says so ("tap:held").

import { enteredAt, PROBLEMS } from "../outbox/entries.js";
import { saveState } from "./save_state.js";
import { begun } from "./table_page.js";

const HOLD = 300; // ms in which the second half of a double tap saves nothing
const TELL = 1600; // ms in which Save says that it was held back

const saveOf = (form) => form?.querySelector("[data-save]");
const asked = new WeakMap(); // what each form's own module says is missing

/** What keeps this form from being saved; null when nothing does. */
function lackOf(form) {
  const ask = asked.get(form);
  return (ask ? ask() : form.querySelector("card-pad, heat-order")?.lack) ?? reasonOf(form);
}

/** What is missing where a correction has no reason yet; null where it has one, or needs none. */
function reasonOf(form) {
  const reason = form.querySelector("[name=reason][data-wanted]");
  if (!reason || reason.value.trim()) return null;
  return { text: reason.dataset.wordChoose, show: () => reason.closest(".field").scrollIntoView({ block: "center" }) };
}

/** Have this form's own module say what is missing. */
export function watch(form, ask) {
  asked.set(form, ask);
  refresh(form);
}

/** The line above Save: a status, or what is wrong. @param {HTMLFormElement} form @param {string | Node} content */
export function say(form, content = "", wrong = false) {
  const line = form?.querySelector("[data-says]");
  line?.toggleAttribute("data-wrong", wrong);
  line?.replaceChildren(...(content ? [content] : []));
}

const told = new WeakMap(); // what each form was said to miss, at a tap
let last = null; // what this page kept last: {command, table, what, state}

/** Draw the state of this form's Save. */
export function refresh(form) {
  const save = saveOf(form);
  if (!save?.dataset.wordUnsaved) return;
  const kept = last?.table === form.dataset.table && !begun(form) ? last : null;
  const offline = document.body.hasAttribute("data-no-network");
  const stays = offline || document.body.hasAttribute("data-signed-out");
  const lack = lackOf(form);
  const line = form.querySelector("[data-says]");
  if (lack?.text !== told.get(form) && line?.textContent === told.get(form)) say(form); // it is there now
  const [state, label, text] = saveState(save.dataset, { kept, lack, offline, stays, held: "told" in save.dataset });
  if (save.dataset.state !== state) save.dataset.state = state;
  const put = (name, words) => {
    const part = save.querySelector(`[data-save-${name}]`);
    if (part && part.textContent !== words) part.textContent = words;
  };
  put("label", label);
  put("state", text);
}

const refreshAll = () => document.querySelectorAll("form:has([data-save])").forEach(refresh);
const formOf = (/** @type {any} */ target) => target.form ?? target.closest?.("form");
for (const type of ["input", "change", "entry:shown"]) document.addEventListener(type, ({ target }) => refresh(formOf(target)));
for (const type of ["htmx:load", "outbox:change"]) document.addEventListener(type, () => refreshAll());

// ---- what was kept ----

document.addEventListener("outbox:kept", ({ target, detail }) => {
  const { table, command, number } = detail;
  const what = saveOf(target)?.dataset.wordWhat;
  if (!what) return; // a tap, which says so itself
  last = { table, command, what: what.replace("{n}", number), state: "waiting" };
  refresh(target);
});
document.addEventListener("outbox:confirmed", ({ detail }) => {
  if (detail.command === last?.command) last.state = "confirmed";
  refreshAll();
});
document.addEventListener("outbox:change", () => {
  const entry = last && enteredAt(last.table).find(({ command }) => command === last.command);
  if (PROBLEMS.has(entry?.state)) last = null;
});

// ---- a tap that comes too soon ----

export function holdBack(save) {
  save.setAttribute("aria-disabled", "true");
  clearTimeout(save.held);
  save.held = setTimeout(() => save.removeAttribute("aria-disabled"), HOLD);
}

// Somebody at a keyboard looks at no place on the glass: for them Save may move.
let byKey = false;
document.addEventListener("keydown", () => (byKey = true), true);
document.addEventListener("pointerdown", () => (byKey = false), true);

let at = null; // where Save was seen last
export function moved() {
  const save = document.querySelector("[data-save]");
  const top = Math.round(save?.getBoundingClientRect().top ?? 0);
  if (save && at !== null && !byKey && Math.abs(top - at) > 4) holdBack(save);
  at = top;
}
document.addEventListener("scroll", moved, { passive: true });
window.addEventListener("resize", moved);

/** Say for a moment that a tap on Save was held back. */
function tell(save) {
  save.dataset.told = "";
  clearTimeout(save.telling);
  save.telling = setTimeout(() => {
    delete save.dataset.told;
    refresh(save.form);
  }, TELL);
  refresh(save.form);
}
document.addEventListener("tap:held", (event) => {
  const { target } = /** @type {any} */ (event);
  if (target.matches("[data-save]")) tell(target);
});

window.addEventListener(
  "click",
  (event) => {
    const save = event.target.closest?.("[data-save][aria-disabled='true']");
    if (!save || byKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell(save);
  },
  true,
);

// Before the outbox sees it: what cannot be is not kept, and the page goes to where something is missing.
window.addEventListener(
  "submit",
  (event) => {
    const { target: form, submitter } = event;
    const lack = saveOf(form) && (!submitter || submitter.matches("[data-save]")) && lackOf(form);
    if (!lack) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say(form, lack.text, true);
    told.set(form, lack.text);
    lack.show(); // last: what is said takes room from it
  },
  true,
);

refreshAll();
