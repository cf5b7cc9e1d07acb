// What this phone holds for the outbox (outbox.js writes it), read by every script that shows it; and uids for new entries.
//
// One key of localStorage for an entry, named in the order of entering, so that tabs do not overwrite each other's.

export const PREFIX = "lastcard:out:";

// What an entry's state says: that the server has yet to take it, or that a person must decide about it. Else "confirmed".
export const UNSENT = new Set(["waiting", "wait"]);
export const PROBLEMS = new Set(["conflict", "refused"]);

const parsed = new Map(); // by key: [text, entry], so that reading all again is cheap

/** All entries of this phone, [key, entry], in the order of entering; none where the browser refuses storage. */
export function stored() {
  const found = [];
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (key.startsWith(PREFIX)) found.push(key);
    }
  } catch {
    return [];
  }
  return found.sort().map((key) => [key, read(key)]).filter(([, entry]) => entry);
}

/** The entry under this key; null for none, or what is not ours. */
export function read(key) {
  const text = key && localStorage.getItem(key);
  if (!text) return null;
  if (parsed.get(key)?.[0] !== text) {
    try {
      parsed.set(key, [text, JSON.parse(text)]);
    } catch {
      return null;
    }
  }
  return parsed.get(key)[1];
}

/** What was entered at a table, the oldest first. */
export const enteredAt = (table) => stored().map(([, entry]) => entry).filter((entry) => entry.table === table);

/** What a field of an entry holds; the first, where it was sent more than once. */
export const valueOf = (entry, name) => entry.fields.find(([each]) => each === name)?.[1] ?? "";

/** The play that an entry makes or is about. */
export const playOf = (entry) => entry.url.match(/\/play\/([0-9a-f-]{36})\//)?.[1] ?? valueOf(entry, "play");

/** A uuid4; crypto.randomUUID is missing where the page came by plain http. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
