// The entries that this phone holds for the outbox (outbox.js writes them), read by every script that shows it; and uids for new entries.
//
// One key of localStorage for an entry, named in the order of entering, so that tabs do not overwrite each other's.

/**
 * A referee's entry, as it is kept.
 * @typedef {object} Entry
 * @property {string} command what it is stored under on the server, however often it is sent: a uid
 * @property {string} user whose it is: a uid
 * @property {string} tournament
 * @property {string} table
 * @property {string} kind one of those in tournament/views/entry/outbox.py
 * @property {string} url the path of its form
 * @property {[string, string][]} fields what the form sends
 * @property {number | null} number of the game or round
 * @property {number} queued when it was entered, in ms of this phone's clock
 * @property {number | null} [skew] ms by which the server's clock was ahead at the last contact before; null for none
 * @property {boolean} [guessed] whether the phone's clock was set back since that contact
 * @property {string} state "waiting", "wait" (for another one), "confirmed", "conflict" or "refused"
 * @property {string[]} [said] why it was refused; people are their ids in it (`withNames` in entry_content.js)
 * @property {Record<string, string>} [hands] what is wrong with the hands, by player
 * @property {boolean} [over] whether it was refused and the game that it is about is over, so that it can never be saved
 * @property {number} [sequence] of the ledger's row that stored it
 * @property {string} [at] when that was, in the event's time zone
 * @property {boolean} [handed] whether a person says that another phone took it over
 */

export const PREFIX = "lastcard:out:";

// The meanings of an entry's state: that the server has yet to take it, or that a person must decide about it. Else "confirmed".
export const UNSENT = new Set(["waiting", "wait"]);
export const PROBLEMS = new Set(["conflict", "refused"]);

/** @type {Map<string, [string, Entry]>} */
const parsed = new Map(); // by key: [text, entry], so that reading all again is cheap

/** All entries of this phone, [key, entry], in the order of entering; none where the browser refuses storage.
 * @returns {[string, Entry][]} */
export function stored() {
  const found = [];
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (key?.startsWith(PREFIX)) found.push(key);
    }
  } catch {
    return [];
  }
  return found.sort().flatMap((key) => {
    const entry = read(key);
    return entry ? [/** @type {[string, Entry]} */ ([key, entry])] : [];
  });
}

/** The entry under this key; null for none, or what is not ours. @param {string} key @returns {Entry | null} */
export function read(key) {
  const text = key && localStorage.getItem(key);
  if (!text) return null;
  const before = parsed.get(key);
  if (before?.[0] === text) return before[1];
  try {
    const entry = JSON.parse(text);
    parsed.set(key, [text, entry]);
    return entry;
  } catch {
    return null;
  }
}

/** List the entries of a table, the oldest first. @param {string} table */
export const enteredAt = (table) => stored().map(([, entry]) => entry).filter((entry) => entry.table === table);

/** Read a field of an entry; the first, where it was sent more than once. @param {Entry} entry @param {string} name */
export const valueOf = (entry, name) => entry.fields.find(([each]) => each === name)?.[1] ?? "";

/** List the players who are out for good by these entries; "absent" is said of one game of a race alone. @param {Entry[]} entries */
export const leftBy = (entries) =>
  entries
    .flatMap((entry) => entry.fields)
    .filter(([name, value]) => name.startsWith("out-") && value && value !== "absent")
    .map(([name]) => name.slice(4));

/** The play that an entry makes or is about. @param {Entry} entry */
export const playOf = (entry) => entry.url.match(/\/play\/([0-9a-f-]{36})\//)?.[1] ?? valueOf(entry, "play");

/** A uuid4; crypto.randomUUID is missing where the page came by plain http. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
