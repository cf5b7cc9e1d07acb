// Writes what this phone holds for the outbox: the one writer of it (entries.js reads it).

import { PREFIX, stored } from "./entries.js";
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
