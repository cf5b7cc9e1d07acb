// A referee's entry is first kept on the phone, then sent: form[data-entry] (templates/desk) needs no network.
//
//   <form data-entry="round" data-table="<uid>">   kinds: tournament/views/entry/outbox.py
//   <desk-outbox data-user data-tournament data-send ...>   the status line (templates/components/_outbox.html)
//   [data-settles="<command>"]      following or sending it decides about that entry, which then goes
//
// Events: on the form "outbox:keeping" (cancelable: last chance to fill fields in) and "outbox:kept" (detail: the entry);
// on the document "outbox:confirmed" (detail: the entry with sequence and at), "outbox:change" (detail {waiting,
// problems, connected, names, signIn}). Asked for by others on the document: "outbox:drop", "outbox:adopt", "outbox:take-over" (an
// entry of another phone: hand_over.js), "outbox:mark" and "outbox:ask" (to tell what is true anew).
//
// Each is kept in localStorage (kept.js) with a second copy (spare.js), so that a browser that is killed
// loses none, and sent from there (sender.js). Ids and numbers only, and the
// name of somebody who joins from outside, until the server has it. Sending one twice is harmless, its command is
// its own; so an entry is sent until the server has answered in its own words, and what is no such answer (a hotel's
// sign-in page) is none.

import { newId, PREFIX, PROBLEMS, read, stored } from "./entries.js";
import { keepOffline } from "./offline.js";
import { forget, keep, keeps, keyOf, line, lookAtClock, me, nextKey, tryStorage, write } from "./kept.js";
import { sayAll } from "./line.js";
import { asAnother, counted, tookAgain } from "./queue.js";
import { networkCame, networkWent, send, sending, wake } from "./sender.js";
import { bringBack } from "./spare.js";

// ---- a form becomes an entry

/** Keep the form's entry; null where the browser keeps nothing. */
function take(form, submitter) {
  const data = new FormData(form);
  data.delete("csrfmiddlewaretoken"); // the newest goes along when it is sent
  data.delete("reason");
  if (["round", "heat", "paper"].includes(form.dataset.entry)) data.set("step", "save");
  else if (submitter?.name) data.set(submitter.name, submitter.value);
  const command = String(data.get("command"));
  const texts = /** @type {[string, string][]} */ ([...data].filter(([, value]) => typeof value === "string"));
  /** @type {Entry} */
  const entry = {
    command,
    user: me,
    tournament: line.dataset.tournament,
    table: form.dataset.table,
    kind: form.dataset.entry,
    url: new URL(form.getAttribute("action") || location.pathname, location.href).pathname,
    fields: texts.filter(([, value]) => value !== ""),
    number: Number(data.get("number")) || null,
    ...lookAtClock(),
    queued: Date.now(),
    state: "waiting",
  };
  const before = keyOf(command);
  const known = read(before);
  const again = known && tookAgain(known, entry);
  if (again === "same") return known;
  if (again === "mended") return write(before, entry) ? entry : null;
  const taken = again ? asAnother(entry, newId(), newId()) : entry;
  return write(nextKey(taken.command), taken) ? taken : null;
}

const isPlain = (submitter) => submitter?.name === "step" && submitter.value !== "save";

// In the capturing phase: neither htmx nor app.js is to send the form too.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!line || !form.matches("form[data-entry]") || isPlain(event.submitter)) return;
    const keeping = new CustomEvent("outbox:keeping", { bubbles: true, cancelable: true });
    if (!form.dispatchEvent(keeping)) return stop(event);
    const entry = take(form, event.submitter);
    if (!entry) return changed(); // the browser keeps nothing: htmx or app.js sends the form
    stop(event);
    forgetTyped(form);
    form.dispatchEvent(new CustomEvent("outbox:kept", { bubbles: true, detail: entry }));
    changed();
    send();
  },
  { capture: true },
);

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Forget that something was typed: it is in the entry now (see desk.js). */
function forgetTyped(form) {
  try {
    if (form.dataset.keep) sessionStorage.removeItem(`lastcard:kept:${form.dataset.keep}`);
  } catch {
    // storage switched off: nothing was kept
  }
}

// A form whose page has nothing else to show: it says that the entry is kept, and goes on when the server has it.
document.addEventListener("outbox:kept", (event) => {
  const { then } = event.target.dataset;
  if (!then) return;
  const { command } = event.detail;
  document.addEventListener("outbox:confirmed", ({ detail }) => {
    const free = event.target.isConnected && !("begun" in event.target.dataset); // nobody enters the next one in it
    if (detail.command === command && free) location.assign(`${then}?saved=${detail.sequence}`);
  });
  document.addEventListener("outbox:change", () => {
    if (PROBLEMS.has(read(keyOf(command))?.state)) location.assign(line.dataset.list);
  });
  const note = Object.assign(document.createElement("p"), { className: "toast" });
  const words = Object.assign(document.createElement("span"), { textContent: line.dataset.wordKept });
  note.append(words, Object.assign(document.createElement("a"), { className: "button", href: then, textContent: line.dataset.wordBack }));
  document.getElementById("messages").replaceChildren(note);
});

// ---- what a person decides

function drop(command) {
  forget(command);
  changed();
}

document.addEventListener("outbox:drop", (event) => drop(event.detail));
document.addEventListener("outbox:adopt", (event) => {
  for (const [key, entry] of stored()) {
    if (entry.user === event.detail && entry.state !== "confirmed") keep(key, entry, { user: me, state: "waiting" });
  }
  changed();
  send();
});
document.addEventListener("outbox:take-over", (event) => {
  const { detail: entry } = event;
  if (!keyOf(entry.command) && !write(nextKey(entry.command), { ...entry, user: me })) event.preventDefault();
  changed();
  send();
});
document.addEventListener("outbox:mark", ({ detail: { command, handed } }) => {
  const key = keyOf(command);
  if (key) keep(key, read(key), { handed });
  changed();
});
document.addEventListener("outbox:ask", changed);

const SETTLING = "lastcard:settling"; // in this tab: the entry that the page ahead decides about

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-settles]");
  if (link) drop(link.dataset.settles);
});
document.addEventListener("submit", (event) => {
  const { settles } = event.target.dataset;
  if (settles) sessionStorage.setItem(SETTLING, settles);
});

/** The page ahead came: it says in its address that something was saved. */
function settled() {
  let command = null;
  try {
    command = sessionStorage.getItem(SETTLING);
  } catch {
    return; // storage switched off
  }
  if (!command) return;
  const address = new URL(location.href);
  const done = address.searchParams.has("saved") || address.searchParams.has("same");
  if (done) drop(command);
  if (done || /\/desk\/(table\/[^/]+\/)?$/.test(address.pathname)) sessionStorage.removeItem(SETTLING);
}

// ---- the line that says what is true

let told = "";

function counts() {
  return { ...counted(stored().map(([, entry]) => entry), me, line.dataset.tournament), keeps, ...sending() };
}

function changed() {
  if (!line) return;
  lookAtClock();
  const now = counts();
  const { waiting, problems, connected, names, signIn } = now;
  sayAll(now);
  const detail = { waiting, problems, connected, names, signIn };
  const text = JSON.stringify([detail, stored().map(([key, entry]) => key + entry.state + entry.user + (entry.handed ?? ""))]);
  if (text === told) return;
  told = text;
  document.dispatchEvent(new CustomEvent("outbox:change", { detail }));
}

if (line) {
  tryStorage();
  settled();
  window.addEventListener("online", networkCame);
  window.addEventListener("offline", networkWent);
  window.addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", wake);
  document.addEventListener("htmx:load", settled);
  window.addEventListener("storage", (event) => {
    if (event.key?.startsWith(PREFIX)) changed();
  });
  setInterval(changed, 1000);
  changed();
  bringBack().then(send);
}

// ---- without a network the desk opens again (service_worker.js), where the browser lets it

if (line) keepOffline(line.dataset.desk, line.dataset.list);
