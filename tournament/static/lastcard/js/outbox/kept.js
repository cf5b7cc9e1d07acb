// Writes what this phone holds for the outbox: the one writer of it (entries.js reads it).

import { PREFIX, stored } from "./entries.js";
import { reread, setBack, skewAfter } from "./phone_clock.js";
import { keyAfter } from "./queue.js";
import { spare } from "./spare.js";

export const line = document.querySelector("desk-outbox");
export const me = line?.dataset.user ?? "";

export let keeps = true; // whether the browser kept what it was last given

/** Keep an entry; gives whether the browser did. Those that the server has make room. */
export function write(key, entry) {
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

export const keyOf = (command) => stored().find(([, entry]) => entry.command === command)?.[0] ?? "";
export const mine = (entry) => entry.user === me;
export const keep = (key, entry, change) => write(key, Object.assign({}, entry, change));

/** Gives a key after every other, also where the phone's clock was put back. */
export function nextKey(command) {
  return keyAfter(stored().at(-1)?.[0], Date.now(), command);
}

// ---- this phone's clock (phone_clock.js)

const CLOCK = "lastcard:clock";
const OFTEN = 30_000; // ms between two times of noting what the clock says

let looked = null; // when this page last looked at it: [by the clock, by the page's steady clock]
let clock = { skew: null, seen: 0, guessed: false }; // as the phone remembers it, where the browser keeps anything

function known() {
  try {
    return JSON.parse(localStorage.getItem(CLOCK)) ?? clock;
  } catch {
    return clock;
  }
}

function note(skew, seen, guessed) {
  clock = { skew, seen, guessed };
  try {
    localStorage.setItem(CLOCK, JSON.stringify(clock));
  } catch {
    // storage switched off or full
  }
}

/** Look at the clock; where it was set back, and no other tab has seen that, what waits is read by it anew. Gives by how
 * much the server's is ahead, and whether that is guessed since: a phone may have slept while its clock was set back. */
export function lookAtClock() {
  const [now, steady] = [Date.now(), performance.now()];
  const { skew, seen, guessed = false } = known();
  const [day, since] = looked ?? [seen, steady];
  const back = seen > now ? setBack(day, now, steady - since) : 0;
  looked = [now, steady];
  if (!back && Math.abs(now - seen) < OFTEN) return { skew, guessed };
  for (const [key, entry] of back ? stored() : []) {
    if (entry.state !== "confirmed") keep(key, entry, reread(entry, back));
  }
  note(skew === null ? null : skew + back, now, guessed || back > 0);
  return { skew: clock.skew, guessed: clock.guessed };
}

/** The server said its time in an answer that took so many ms. */
export const metServer = (said, took) => note(skewAfter(lookAtClock().skew, said, Date.now(), took), Date.now(), false);

/** Ask the browser whether it keeps anything at all. */
export function tryStorage() {
  const probe = "lastcard:probe";
  if (write(probe, {})) localStorage.removeItem(probe);
}

export function forget(command) {
  const key = keyOf(command);
  if (!key) return;
  localStorage.removeItem(key);
  spare(key, null);
}
