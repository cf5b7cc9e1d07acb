// Sends what waits on this phone (kept.js), and notes what the server says of it.
//
// Each change is told on the document: "outbox:ask", and "outbox:confirmed" of an entry that was saved.

import { playOf, read, stored, UNSENT } from "./entries.js";
import { keep, keyOf, line, me, metServer, mine } from "./kept.js";
import { aboutPlay, asksAbout, lostOf, nextBatch, noted, pauseAfter } from "./queue.js";

const entriesOf = (stored) => stored.map(([, entry]) => entry);

const PATIENCE = 15_000; // ms for an answer
const CONNECTED = 10_000; // ms for which a round trip says that there is a connection

let busy = false;
let again = false;
let failures = 0;
let heardAt = -Infinity; // by the page's steady clock
let trouble = ""; // the server's words, where the last try failed by its own
let signIn = false;
let timer = 0;
let names = {}; // of other users of this phone, by uid

const cookie = (name) => document.cookie.match(new RegExp(`(?:^|; )${name}=([^;]*)`))?.[1];
const token = () =>
  cookie("__Host-csrftoken") ?? cookie("csrftoken") ?? document.querySelector("input[name='csrfmiddlewaretoken']")?.value ?? "";

let current = null; // what ends the request that is under way

const changed = () => document.dispatchEvent(new CustomEvent("outbox:ask"));

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
  const sent = entries.map(({ command, kind, url, fields, queued, skew, guessed }) => ({ command, kind, url, fields, queued, skew, guessed }));
  const asked = performance.now();
  const response = await request(line.dataset.send, {
    body: JSON.stringify({ user: me, now: Date.now(), entries: sent, ...asking }),
    headers: { "Content-Type": "application/json" },
    redirect: "error",
  });
  const words = await troubleOf(response);
  if (words) throw new Trouble(words);
  if (response.status === 403) fetch(line.dataset.desk, { cache: "no-store" }).catch(() => {}); // brings a new token
  const answer = await response.json();
  if (answer?.lastcard !== 1) throw new Error("not the server");
  metServer(answer.now, performance.now() - asked);
  return answer;
}

class Trouble extends Error {}

/** Read the sentence of Lastcard's own 503, for a full disk or an absent database (templates/503.html); "" for any other answer. */
async function troubleOf(response) {
  if (response.status !== 503 || !response.headers.has("Content-Security-Policy")) return "";
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.querySelector("h1")?.textContent.trim() ?? "";
}

/** Send what waits, first in first out; without anything that waits, ask whether the server is there. */
export async function send() {
  if (!line || (quiet() && !stored().length)) return;
  again = busy;
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  changed();
  try {
    await alone(rounds);
    failures = 0;
  } catch (error) {
    failures += 1;
    heardAt = -Infinity;
    trouble = error instanceof Trouble ? error.message : "";
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
    for (let batch = []; (batch = nextBatch(stored(), me, tried, held)).length || !tried.size; ) {
      const answer = await ask(entriesOf(batch), asksAbout(entriesOf(stored()), me));
      heardAt = performance.now();
      signIn = answer.state === "sign_in";
      if (!answer.answers) return changed(); // somebody else is signed in, or nobody: a person must act
      const lost = lostOf(stored(), answer.lost ?? []); // a backup was restored: all again, in order
      for (const [key, entry] of lost) keep(key, entry, { state: "waiting", sequence: undefined, at: undefined });
      if (lost.length) continue;
      for (const { command, ...said } of answer.answers) saved = settle(command, said, held) || saved;
      names = { ...names, ...answer.others };
      for (const [key, entry] of stored()) {
        if (entry.state === "confirmed" && answer.ended.includes(entry.tournament)) localStorage.removeItem(key);
        const over = entry.state === "refused" && Boolean(answer.over?.includes(playOf(entry)));
        if (over !== Boolean(entry.over)) keep(key, entry, { over });
      }
      changed();
      if (!batch.length) return;
      for (const [key] of batch) tried.add(key);
    }
    saved &&= stored().some(([, entry]) => mine(entry) && entry.state === "wait");
  }
}

/** Note what became of an entry; gives whether it was saved just now. */
function settle(command, said, held) {
  const key = keyOf(command);
  const entry = key && read(key);
  if (!entry || !UNSENT.has(entry.state)) return false;
  if (said.state === "wait") held.add(playOf(entry));
  keep(key, entry, noted(said, entry));
  if (said.state !== "saved") return false;
  for (const [each, other] of said.play ? stored() : []) keep(each, other, aboutPlay(other, playOf(entry), said.play));
  document.dispatchEvent(new CustomEvent("outbox:confirmed", { detail: read(key) }));
  return true;
}

const quiet = () => "quiet" in line.dataset; // a page of no table: it sends, and speaks only of what waits
const waits = () => stored().some(([, entry]) => mine(entry) && UNSENT.has(entry.state));

/** When to try next: soon after a failure, then less often; and while somebody looks, for the pulse. */
function plan() {
  clearTimeout(timer);
  if ((document.hidden || quiet()) && !waits()) return;
  timer = setTimeout(send, pauseAfter(failures));
}

/** Somebody looks again, or the network is back: try at once. */
export function wake() {
  if (document.hidden) return;
  failures = 0;
  send();
}

export function networkCame() {
  current?.abort(); // begun on the network that is gone: it may hang for long
  wake();
}

export function networkWent() {
  heardAt = -Infinity;
  trouble = "";
  changed();
}

/** How sending goes. */
export const sending = () => ({
  connected: performance.now() - heardAt < CONNECTED,
  failing: failures > 0,
  trouble: failures > 0 ? trouble : "",
  sending: busy && failures === 0,
  signIn,
  names,
});
