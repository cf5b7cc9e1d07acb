// A table's page after Save: what this phone has kept stands in the list at once, the form is ready for the next round
// without a network, and what the server confirms is fetched and put in its place, never in place of a form that
// somebody has begun. Relies on outbox.js for `outbox:kept`, `outbox:confirmed` and what it stores.
//
// [data-table-page=URL]   the page of a table; its [data-region] parts (head, entry, so-far) are swapped one by one
// [data-save]             answers no tap for a moment after it got ready or moved
// [data-says]             the line above Save
// Words and the list's line: templates/desk/_entry_words.html.

import { enteredAt, newId, valueOf } from "./entries.js";

const KEPT = "lastcard:kept:"; // what desk.js keeps of a form, by its data-keep
const HOLD = 300; // ms in which the second half of a double tap saves nothing
const SOON = 150; // ms: confirmations that come together are shown together

const page = () => document.querySelector("[data-table-page]");
const template = () => document.querySelector("[data-entry-words]");
const words = () => template().dataset;
const region = (root, name) => root.querySelector(`[data-region="${name}"]`);
const form = () => page()?.querySelector('form[data-entry="round"], form[data-entry="heat"]');

/** The rounds and heats of this table that this phone entered, the oldest first. */
function entered() {
  return enteredAt(page()?.dataset.table).filter((entry) => ["round", "heat"].includes(entry.kind));
}

/** Those of them that the server has not confirmed. */
const waiting = () => entered().filter((entry) => entry.state !== "confirmed");

// ---- Save ----

export function holdBack(button) {
  button.setAttribute("aria-disabled", "true");
  clearTimeout(button.held);
  button.held = setTimeout(() => button.removeAttribute("aria-disabled"), HOLD);
}

// Who presses keys looks at no place on the glass: for them Save may move.
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

window.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest?.("[data-save][aria-disabled='true']")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

export function say(text) {
  const line = form()?.querySelector("[data-says]");
  if (line) line.replaceChildren(...(text ? [text] : []));
}

// ---- what this phone has kept ----

const titleOf = (entry) =>
  entry.kind === "round" ? words().wordTitle.replace("{n}", entry.number) : (form()?.dataset.title ?? "");

/** Who won and what they get, by the names and the cards of the pad. */
function textOf(entry, pad) {
  if (!pad?.kinds) return "";
  const name = pad.names.get(valueOf(entry, "winner"));
  if (!name) return "";
  const points = new Map(pad.kinds.map((kind) => [kind.id, kind.points]));
  const worth = ([field, count]) => points.get(/^hand-[0-9a-f-]{36}-(\w+)$/.exec(field)?.[1]) * Number(count);
  return `${name} +${entry.fields.reduce((sum, field) => sum + (worth(field) || 0), 0)}`;
}

function list() {
  const section = document.querySelector("[data-plays]");
  if (!section) return;
  for (const line of section.querySelectorAll("[data-waiting]")) line.remove();
  for (const entry of waiting()) {
    const line = template().content.firstElementChild.cloneNode(true);
    line.querySelector("[data-what]").textContent = titleOf(entry);
    line.querySelector("[data-text]").textContent = textOf(entry, form()?.querySelector("card-pad"));
    if (["conflict", "refused"].includes(entry.state)) line.querySelector("[data-state]").textContent = words().wordRefused;
    section.querySelector("ul").prepend(line);
    section.hidden = false;
  }
}

let listing = 0;
/** The list comes with the next picture: what is said about Save does not wait for it. */
function listSoon() {
  cancelAnimationFrame(listing);
  listing = requestAnimationFrame(list);
}

const isTyped = (field) => field.name && !["hidden", "submit", "button"].includes(field.type);
const USUAL = ["last_count", "advance"]; // filled in before anybody types

/** Whether somebody has begun to fill this form in. */
function begun(form) {
  return [...form.elements].filter(isTyped).some((field) => {
    if (["radio", "checkbox"].includes(field.type)) return field.checked && field.value;
    return field.value && !USUAL.includes(field.name);
  });
}

function empty(form) {
  for (const field of [...form.elements].filter(isTyped)) {
    if (field.type === "radio") field.checked = field.value === "";
    else if (field.type === "checkbox") field.checked = false;
    else if (USUAL.includes(field.name)) field.value = field.defaultValue;
    else field.value = "";
  }
  for (const part of form.querySelectorAll("details[open]")) part.open = false;
  for (const part of form.querySelectorAll(".errors, .field__error, :scope > .notice")) part.remove();
}

/** Go on after what was entered here, also where the page is an old copy that knows less: the next number, and nobody
 * who left meanwhile. Gives whether the form changed. */
function goOn(form) {
  const entries = entered().filter((entry) => entry.kind === form.dataset.entry);
  if (form.dataset.entry === "heat") {
    form.hidden = entries.some((entry) => entry.state !== "refused"); // a refused one is entered anew
    return false;
  }
  const number = Math.max(...entries.map((entry) => Number(entry.number) + 1), Number(form.elements.number.value));
  const out = entries.flatMap((entry) => entry.fields.filter(([name, value]) => name.startsWith("out-") && value));
  for (const [name] of out) {
    if (!form.elements[name]) continue;
    form.querySelector("card-pad").leave(name.slice(4));
    form.elements[name].closest(".field").remove();
  }
  if (number === Number(form.elements.number.value)) return false;
  form.elements.number.value = number;
  form.elements.play.value = newId();
  form.elements.command.value = newId();
  form.dataset.keep = `${form.dataset.table}:${number}:0`;
  form.querySelector("[data-entry-title]").textContent = words().wordTitle.replace("{n}", number);
  return true;
}

document.addEventListener("outbox:kept", (event) => {
  const kept = event.target;
  if (kept !== form()) return;
  try {
    sessionStorage.removeItem(KEPT + kept.dataset.keep);
  } catch {
    // storage switched off: nothing was kept
  }
  empty(kept);
  goOn(kept);
  kept.querySelector("card-pad")?.clear();
  const text = words().wordKept.replace("{what}", titleOf(event.detail));
  if (kept.hidden) document.querySelector("[data-region='entry']").append(notice(text));
  else say(text);
  holdBack(kept.querySelector("[data-save]"));
  listSoon();
});

// ---- what the server has confirmed ----

function notice(text) {
  const line = document.createElement("p");
  line.className = "notice";
  line.textContent = text;
  return line;
}

/** Fetch this table's page and put what changed in its place. */
async function refresh(sequence) {
  const here = page();
  let answer;
  try {
    answer = await fetch(`${here.dataset.tablePage}?saved=${sequence}`, { redirect: "error" });
  } catch {
    return; // the next confirmation, or a reload, shows it
  }
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-table-page]");
  if (!answer.ok || here !== page() || next?.dataset.table !== here.dataset.table) return;
  for (const name of ["head", "so-far"]) put(region(here, name), region(next, name));
  const [now, then] = [form(), next.querySelector("form[data-entry]")];
  if (now && begun(now)) {
    if (!then && !now.querySelector("[data-over]")) over(now);
  } else if (!waiting().length) {
    const held = region(here, "entry").contains(document.activeElement);
    put(region(here, "entry"), region(next, "entry"));
    form()?.querySelector("card-pad")?.reach();
    if (held) form()?.querySelector(".pad__table")?.focus({ preventScroll: true });
  }
  list();
  receipt();
}

function put(old, fresh) {
  const adopted = document.adoptNode(fresh);
  old.replaceWith(adopted);
  globalThis.htmx?.process(adopted);
  adopted.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail: { elt: adopted } }));
}

/** The match ended while somebody counts: they are told, and nothing that they typed goes. */
function over(form) {
  const line = notice(words().wordOver);
  line.dataset.over = "";
  line.classList.add("notice--warn");
  form.prepend(line);
}

/** The receipt at the head, with its ways back, beside Save too, until somebody counts on. */
function receipt() {
  const now = form();
  const line = now?.querySelector("[data-says]");
  if (!line || begun(now) || waiting().length) return;
  const parts = region(page(), "head").querySelectorAll(".receipt, .receipt__undo");
  line.replaceChildren(...[...parts].map((part) => part.cloneNode(true)));
}

let timer = 0;
document.addEventListener("outbox:confirmed", (event) => {
  if (!page() || event.detail.table !== page().dataset.table) return;
  clearTimeout(timer);
  timer = setTimeout(() => refresh(event.detail.sequence), SOON);
});

function prepare() {
  const found = form();
  if (!page()) return;
  if (found && goOn(found)) {
    // what was typed for this number, which the server did not know, is put back by desk.js
    found.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail: { elt: found } }));
    found.querySelector("card-pad")?.reread();
  }
  list();
}
prepare();
document.addEventListener("htmx:load", (event) => {
  if (event.detail.elt.querySelector?.("[data-table-page]") || event.detail.elt.matches?.("[data-region='entry']")) prepare();
});
document.addEventListener("outbox:change", () => page() && listSoon());
