// A table's page after Save: what this phone has kept stands in the list at once, the form is ready for the next round
// without a network, and what the server confirms is fetched and put in its place, never in place of a form that
// somebody has begun. Relies on outbox.js for `outbox:kept`, `outbox:confirmed` and what it stores.
//
// [data-table-page=URL]   the page of a table; its [data-region] parts (head, entry, so-far) are swapped one by one
// [data-says]             the line above Save (save.js)
// Words and the list's line: templates/desk/_entry_words.html.

import { leftBy, newId, PROBLEMS, valueOf } from "../outbox/entries.js";
import { notes } from "./entry_notes.js";
import { handsOf } from "./hands.js";
import { holdBack, say } from "./save.js";
import { begun, empty, entered, form, page, problems, refill, region, shows, template, titleOf, unsent, words } from "./table_page.js";

const SOON = 150; // ms: confirmations that come together are shown together

// ---- what this phone has kept ----

/** Word who won and what they get, by the names and the cards of the pad. */
function textOf(entry, pad) {
  const name = pad?.kinds ? pad.names.get(valueOf(entry, "winner")) : "";
  return name ? `${name} +${[...handsOf(entry, pad.kinds).values()].reduce((sum, hand) => sum + hand, 0)}` : "";
}

function list() {
  const section = document.querySelector("[data-plays]");
  if (!section) return;
  if (form()?.dataset.entry === "heat") goOn(form());
  notes();
  for (const line of section.querySelectorAll("[data-waiting]")) line.remove();
  for (const entry of entered().filter((each) => each.state !== "confirmed")) {
    const line = template().content.firstElementChild.cloneNode(true);
    line.querySelector("[data-what]").textContent = titleOf(entry);
    line.querySelector("[data-text]").textContent = textOf(entry, form()?.querySelector("card-pad"));
    if (PROBLEMS.has(entry.state)) line.querySelector("[data-state]").textContent = words().wordRefused;
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

/** Go on after what was entered here, also where the page is an old copy that knows less: the next number, and nobody
 * who left meanwhile. Gives whether the form changed. */
function goOn(form) {
  const entries = entered().filter((entry) => entry.kind === form.dataset.entry);
  if (form.dataset.entry === "heat") {
    const refused = entries.find((entry) => entry.state === "refused");
    const sent = entries.findLast((entry) => entry !== refused);
    if (refused && (form.inert || !form.refilled) && !begun(form)) refill(form, refused);
    else if (sent && !form.inert && !begun(form)) refill(form, sent);
    form.refilled = Boolean(refused);
    form.inert = Boolean(sent); // what was entered stays in sight until the server's own view of it is there
    return false;
  }
  if (problems().some((entry) => entry.command === form.elements.command.value)) return false; // opened to be mended
  const number = Math.max(...entries.map((entry) => Number(entry.number) + 1), Number(form.elements.number.value));
  for (const player of leftBy(entries)) {
    const field = form.elements[`out-${player}`];
    if (!field) continue;
    form.querySelector("card-pad").leave(player);
    field.closest(".field").remove();
    form.elements[`plays-${player}`]?.remove();
  }
  if (number === Number(form.elements.number.value)) return false;
  form.elements.number.value = number;
  form.elements.play.value = newId();
  form.elements.command.value = newId();
  form.dataset.keep = `${form.dataset.table}:${number}:0`;
  form.querySelector("[data-entry-title]").textContent = words().wordTitle.replace("{n}", number);
  form.querySelector("[data-entry-duties]")?.remove(); // of the round before
  return true;
}

document.addEventListener("outbox:kept", (event) => {
  const kept = event.target;
  if (kept !== form()) return;
  const held = kept.contains(document.activeElement);
  if (kept.dataset.entry !== "heat") empty(kept);
  goOn(kept);
  kept.querySelector("card-pad")?.clear();
  notes();
  if (!kept.inert) say(kept, words().wordKept.replace("{what}", titleOf(event.detail)));
  else if (held) region(page(), "entry").focus({ preventScroll: true });
  holdBack(kept.querySelector("[data-save]"));
  listSoon();
  requestAnimationFrame(() => kept.querySelector("card-pad")?.reach()); // once the lines above and below it are drawn
});

// The line at the head grows once a send has failed: at the page's top, the browser would push names below the bar.
const line = document.querySelector("desk-outbox");
let high = line?.offsetHeight ?? 0;
const growth = new ResizeObserver(() => {
  const most = line.offsetHeight - high + 1; // heights are whole pixels
  high = line.offsetHeight;
  form()?.querySelector("card-pad")?.reach({ least: true, most });
});
if (line) growth.observe(line);

// ---- what the server has confirmed ----

let asking = null; // what is under way: a page that was asked for later says more
/** Fetch this table's page, with the receipt of what was just saved, and put what changed in its place. What is
 * said of this phone's own save stays at the head when another one saved. */
async function refresh(sequence, { other = false } = {}) {
  if (other && asking) return;
  asking?.abort();
  const own = (asking = new AbortController());
  const here = page();
  let answer, text;
  try {
    const address = here.dataset.tablePage + (sequence ? `?saved=${sequence}` : "");
    answer = await fetch(address, { redirect: "error", signal: own.signal });
    text = await answer.text();
  } catch {
    return; // the next confirmation, or a reload, shows it
  } finally {
    if (asking === own) asking = null;
  }
  const whole = new DOMParser().parseFromString(text, "text/html");
  const next = whole.querySelector("[data-table-page]");
  if (!answer.ok || here !== page() || next?.dataset.table !== here.dataset.table) return;
  shows(whole);
  for (const name of other ? ["so-far"] : ["head", "so-far"]) put(region(here, name), region(next, name));
  const [now, then] = [form(), next.querySelector("form[data-entry]")];
  if (now && begun(now)) {
    // The match ended while somebody counts: they are told, and nothing that they typed goes.
    const number = (form) => Number(form.elements.number?.value);
    if (then && number(then) > number(now)) now.dispatchEvent(new CustomEvent("entry:taken"));
    if (!then) now.dataset.over = next.querySelector(".winner__name")?.textContent.trim() ?? "";
  } else if (!unsent().length) {
    if (then && !now) return location.reload(); // the match goes on again, and its pad needs its scripts
    const held = region(here, "entry").contains(document.activeElement);
    put(region(here, "entry"), region(next, "entry"));
    if (held) (form()?.querySelector(".pad__table") ?? region(here, "entry")).focus({ preventScroll: true });
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

/** Repeat the receipt, with Undo and Correct it, above Save until the next hand is counted; the pad moves up for it. */
function receipt() {
  const now = form();
  const line = now?.querySelector("[data-says]");
  if (!line || begun(now) || unsent().length) return;
  const parts = region(page(), "head").querySelectorAll(".receipt, .receipt__undo");
  line.replaceChildren(...[...parts].map((part) => part.cloneNode(true)));
  now.querySelector("card-pad")?.reach();
}

let timer = 0;
let saved = 0; // the ledger's row of what was saved last
function refreshSoon(sequence = saved) {
  saved = sequence;
  clearTimeout(timer);
  timer = setTimeout(() => refresh(saved), SOON);
}
document.addEventListener("outbox:confirmed", (event) => {
  if (event.detail.table === page()?.dataset.table) refreshSoon(event.detail.sequence);
});

function look() {
  if (page() && !unsent().length) refresh(0, { other: true });
}
document.addEventListener("table:changed", look);

const undecided = () => problems().map((entry) => entry.command);
let known = undecided();
/** The server has something else in the place of what was entered here, or a reason against it: it is shown too. */
function lookAgain() {
  if (undecided().some((command) => !known.includes(command))) refreshSoon();
  known = undecided();
}

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
document.addEventListener("outbox:change", () => {
  if (!page()) return;
  lookAgain();
  listSoon();
});
