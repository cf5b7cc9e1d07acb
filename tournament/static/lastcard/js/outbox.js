// What a referee enters is first kept on the phone, then sent: form[data-entry] (templates/desk) needs no network.
//
//   <form data-entry="round" data-table="<uid>">   kinds: tournament/views/desk/sending.py
//   <desk-outbox data-user data-tournament data-send ...>   the status line (templates/components/_outbox.html)
//   [data-settles="<command>"]      following or sending it decides about that entry, which then goes
//
// Events: on the form "outbox:keeping" (cancelable: last chance to fill fields in) and "outbox:kept" (detail: the entry);
// on the document "outbox:confirmed" (detail: the entry with sequence and at), "outbox:change" (detail {waiting,
// problems, connected}). Asked for by others: "outbox:drop", "outbox:adopt",
// "outbox:take-over" (an entry of another phone: hand_over.js) and "outbox:mark" on the document.
//
// Each is kept in localStorage (entries.js) with a second copy (outbox_spare.js), so that a browser that is killed loses
// none. Ids and numbers only. Sending one twice is harmless, its command is its own; so an entry is sent until the server
// has answered in its own words, and what is no such answer (a hotel's sign-in page) is none.

import { newId, playOf, PREFIX, read, stored } from "./entries.js";
import { keepOffline } from "./offline.js";
import { sayAll } from "./outbox_line.js";
import { bringBack, spare } from "./outbox_spare.js";

const MOST = 50; // entries in a request
const PATIENCE = 15_000; // ms for an answer
const PULSE = 8_000; // ms between signs of the server while somebody looks
const CONNECTED = 10_000; // ms for which a round trip says that there is a connection
const LONGEST_PAUSE = 15_000; // ms between two tries
const UNSENT = new Set(["waiting", "wait"]);
const PROBLEMS = new Set(["conflict", "refused"]);

const line = document.querySelector("desk-outbox");
const me = line?.dataset.user ?? "";

// ---- what is kept

let keeps = true; // whether the browser kept what it was last given

/** Keep an entry; gives whether the browser did. Those that the server has make room. */
function write(key, entry) {
  const text = JSON.stringify(entry);
  const done = () => stored().filter(([, other]) => other.state === "confirmed");
  keeps = false;
  for (let room = null; !keeps; ) {
    try {
      localStorage.setItem(key, text);
      keeps = true;
    } catch {
      room ??= done();
      if (!room.length) break;
      localStorage.removeItem(room.shift()[0]);
    }
  }
  if (keeps && key.startsWith(PREFIX)) spare(key, entry.state === "confirmed" ? null : text);
  return keeps;
}

const keyOf = (command) => stored().find(([, entry]) => entry.command === command)?.[0] ?? "";
const mine = (entry) => entry.user === me;
const keep = (key, entry, change) => write(key, Object.assign({}, entry, change));

/** Gives a key after every other, also where the phone's clock was put back. */
function nextKey(command) {
  const last = Number(stored().at(-1)?.[0].slice(PREFIX.length, PREFIX.length + 13) ?? 0);
  return `${PREFIX}${String(Math.max(Date.now(), last + 1)).padStart(13, "0")}:${command}`;
}

function tryStorage() {
  const probe = "lastcard:probe";
  if (write(probe, {})) localStorage.removeItem(probe);
}

// ---- a form becomes an entry

/** Keep the form's entry; null where the browser keeps nothing. */
function take(form, submitter) {
  const data = new FormData(form);
  data.delete("csrfmiddlewaretoken"); // the newest goes along when it is sent
  data.delete("reason");
  if (["round", "heat", "paper"].includes(form.dataset.entry)) data.set("step", "save");
  else if (submitter?.name) data.set(submitter.name, submitter.value);
  const command = data.get("command");
  const entry = {
    command,
    user: me,
    tournament: line.dataset.tournament,
    table: form.dataset.table,
    kind: form.dataset.entry,
    url: new URL(form.getAttribute("action") || location.pathname, location.href).pathname,
    fields: [...data].filter(([, value]) => typeof value === "string" && value !== ""),
    number: Number(data.get("number")) || null,
    queued: Date.now(),
    state: "waiting",
  };
  const before = keyOf(command);
  const known = read(before);
  if (known && PROBLEMS.has(known.state)) return write(before, entry) ? entry : null; // mended
  if (known && JSON.stringify(known.fields) === JSON.stringify(entry.fields)) return known; // tapped twice
  if (known) asAnother(entry);
  return write(nextKey(entry.command), entry) ? entry : null;
}

/** An old copy of the page was filled in again: what stands under its command stays, and this is something else. */
function asAnother(entry) {
  entry.command = newId();
  const change = { command: entry.command, play: newId() };
  entry.fields = entry.fields.map(([name, value]) => [name, change[name] ?? value]);
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
    if (!entry) return goPlainly(event);
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

/** What was typed is in the entry now (see desk.js). */
function forgetTyped(form) {
  try {
    if (form.dataset.keep) sessionStorage.removeItem(`lastcard:kept:${form.dataset.keep}`);
  } catch {
    // storage switched off: nothing was kept
  }
}

/** The browser keeps nothing: the form is sent at once, and stays as it is where that fails. */
async function goPlainly(event) {
  changed();
  const form = event.target;
  if (form.matches("[hx-post], [data-hx-post]")) return; // htmx leaves the form as it is, too
  stop(event);
  const body = new URLSearchParams(new FormData(form, event.submitter));
  try {
    const response = await request(form.action, { body });
    if (response.redirected) location.assign(response.url);
    else show(await response.text());
  } catch {
    say(line.dataset.wordNotSent);
  }
}

function show(text) {
  const main = new DOMParser().parseFromString(text, "text/html").getElementById("main");
  if (!main) return say(line.dataset.wordNotSent);
  const adopted = document.adoptNode(main);
  document.getElementById("main").replaceWith(adopted);
  globalThis.htmx?.process(adopted);
  adopted.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail: { elt: adopted } }));
  adopted.focus({ preventScroll: true });
}

function say(text, href) {
  const note = document.createElement("p");
  note.className = href ? "toast" : "toast toast--error";
  const words = document.createElement("span");
  words.textContent = text;
  note.append(words);
  if (href) {
    const link = document.createElement("a");
    link.className = "button";
    link.href = href;
    link.textContent = line.dataset.wordBack;
    note.append(link);
  }
  document.getElementById("messages").replaceChildren(note);
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
  say(line.dataset.wordKept, then);
});

// ---- sending

let busy = false;
let again = false;
let failures = 0;
let heardAt = -Infinity; // by the page's steady clock
let signIn = false;
let timer = 0;
let names = {}; // of other users of this phone, by uid

const cookie = (name) => document.cookie.match(new RegExp(`(?:^|; )${name}=([^;]*)`))?.[1];
const token = () =>
  cookie("__Host-csrftoken") ?? cookie("csrftoken") ?? document.querySelector("[name='csrfmiddlewaretoken']")?.value ?? "";

let current = null; // what ends the request that is under way

async function request(url, options) {
  const controller = new AbortController();
  current = controller;
  const patience = setTimeout(() => controller.abort(), PATIENCE);
  try {
    return await fetch(url, {
      method: "POST",
      cache: "no-store",
      credentials: "same-origin",
      signal: controller.signal,
      ...options,
      headers: { ...options.headers, "X-CSRFToken": token() },
    });
  } finally {
    clearTimeout(patience);
  }
}

/** The server's answer to a batch; throws for whatever is no answer of it. */
async function ask(entries, asking) {
  const sent = entries.map(({ command, kind, url, fields, queued }) => ({ command, kind, url, fields, queued }));
  const response = await request(line.dataset.send, {
    body: JSON.stringify({ user: me, now: Date.now(), entries: sent, ...asking }),
    headers: { "Content-Type": "application/json" },
    redirect: "error",
  });
  if (response.status === 403) fetch(line.dataset.desk, { cache: "no-store" }).catch(() => {}); // brings a new token
  const answer = await response.json();
  if (answer?.lastcard !== 1) throw new Error("not the server");
  return answer;
}

/** Send what waits, first in first out; without anything that waits, ask whether the server is there. */
async function send() {
  if (!line || (quiet() && !stored().length)) return;
  again = busy;
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  changed();
  try {
    await alone(rounds);
    failures = 0;
  } catch {
    failures += 1;
    heardAt = -Infinity;
  }
  busy = false;
  changed();
  if (again) return send();
  plan();
}

/** One tab at a time, where the browser can tell and the other tab is not asleep; two do no harm, only more work. */
async function alone(work) {
  if (!navigator.locks) return work();
  const patience = new AbortController();
  const timeout = setTimeout(() => patience.abort(), PATIENCE);
  const begin = () => {
    clearTimeout(timeout);
    return work();
  };
  try {
    return await navigator.locks.request("lastcard:outbox", { signal: patience.signal }, begin);
  } catch (error) {
    if (!patience.signal.aborted) throw error;
    return work();
  }
}

/** One round tries every entry once; another follows while the last one got something saved that others waited for. */
async function rounds() {
  for (let saved = true; saved; ) {
    saved = false;
    const tried = new Set();
    const held = new Set(); // plays that wait for another
    for (let batch = []; (batch = nextBatch(tried, held)).length || !tried.size; ) {
      const answer = await ask(batch.map(([, entry]) => entry), about());
      heardAt = performance.now();
      signIn = answer.state === "sign_in";
      if (!answer.answers) return changed(); // somebody else is signed in, or nobody: a person must act
      for (const { command, ...said } of answer.answers) saved = settle(command, said, held) || saved;
      names = { ...names, ...answer.others };
      for (const [key, entry] of stored()) {
        if (entry.state === "confirmed" && answer.ended.includes(entry.tournament)) localStorage.removeItem(key);
      }
      changed();
      if (!batch.length) return;
      for (const [key] of batch) tried.add(key);
    }
    saved &&= stored().some(([, entry]) => mine(entry) && entry.state === "wait");
  }
}

function nextBatch(tried, held) {
  const batch = [];
  for (const [key, entry] of stored()) {
    if (!mine(entry) || !UNSENT.has(entry.state) || tried.has(key) || held.has(playOf(entry))) continue;
    batch.push([key, entry]);
    if (batch.length === MOST) break;
  }
  return batch;
}

/** What else the server is asked: whether events are over, and who the other users are. */
function about() {
  const entries = stored().map(([, entry]) => entry);
  const unique = (values) => [...new Set(values)].slice(0, 200);
  return {
    tournaments: unique(entries.filter((entry) => entry.state === "confirmed").map((entry) => entry.tournament)),
    others: unique(entries.filter((entry) => entry.user !== me && entry.state !== "confirmed").map((entry) => entry.user)),
  };
}

/** Note what became of an entry; gives whether it was saved just now. */
function settle(command, { state, ...said }, held) {
  const key = keyOf(command);
  const entry = key && read(key);
  if (!entry || !UNSENT.has(entry.state)) return false;
  if (state === "wait") held.add(playOf(entry));
  keep(key, entry, { state: state === "saved" ? "confirmed" : state, ...said });
  if (state !== "saved") return false;
  document.dispatchEvent(new CustomEvent("outbox:confirmed", { detail: read(key) }));
  return true;
}

const quiet = () => "quiet" in line.dataset; // a page of no table: it sends, and speaks only of what waits
const waits = () => stored().some(([, entry]) => mine(entry) && UNSENT.has(entry.state));

/** When to try next: soon after a failure, then less often; and while somebody looks, for the pulse. */
function plan() {
  clearTimeout(timer);
  if ((document.hidden || quiet()) && !waits()) return;
  const pause = failures ? Math.min(1000 * 2 ** (failures - 1), LONGEST_PAUSE) : PULSE;
  timer = setTimeout(send, pause);
}

function wake() {
  if (document.hidden) return;
  failures = 0;
  send();
}

// ---- what a person decides

function drop(command) {
  const key = keyOf(command);
  if (key) {
    localStorage.removeItem(key);
    spare(key, null);
  }
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
  const entries = stored().map(([, entry]) => entry);
  const own = entries.filter(mine);
  return {
    waiting: own.filter((entry) => UNSENT.has(entry.state)).length,
    problems: own.filter((entry) => PROBLEMS.has(entry.state)).length,
    connected: performance.now() - heardAt < CONNECTED,
    failing: failures > 0,
    others: entries.filter((entry) => !mine(entry) && entry.state !== "confirmed"),
    last: own.filter((entry) => entry.state === "confirmed").map((entry) => entry.at).sort().at(-1),
    keeps,
    sending: busy && failures === 0,
    signIn,
    names,
  };
}

function changed() {
  if (!line) return;
  const now = counts();
  const { waiting, problems } = now;
  sayAll(now);
  const detail = { waiting, problems, connected: now.connected, names };
  const text = JSON.stringify([detail, stored().map(([key, entry]) => key + entry.state + entry.user + (entry.handed ?? ""))]);
  if (text === told) return;
  told = text;
  document.dispatchEvent(new CustomEvent("outbox:change", { detail }));
}

if (line) {
  tryStorage();
  settled();
  window.addEventListener("online", () => {
    current?.abort(); // begun on the network that is gone: it may hang for long
    wake();
  });
  window.addEventListener("offline", () => {
    heardAt = -Infinity;
    changed();
  });
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
