// An entry of the outbox as text for a link, short enough for a QR code, and back: `packed(entry, now)`, `unpacked(text)`.
//
// The text is base64url of: version (1 byte), flags (1: deflated), CRC-32 of the rest (4), number of ids (1), the ids (16
// each), and JSON in which an id is MARK and a character: [kind, about, table, tournament, command, number, age in
// seconds, name, value, name, value ...]. `about` is the table or game of the form's address, which is not carried: the
// reader makes it from the kind, so that no code leads a form to another place. The age is what the giver's own clock
// says between entering and showing; the taker counts it back from theirs.

const VERSION = 1;
const DEFLATED = 1;
const HEAD = 7; // bytes before the ids
const MARK = "\u0001"; // JSON never holds it as it is
const MARKS = new RegExp(`${MARK}([!-z])`, "g");
const FIRST = 0x21; // the character of the first id
const MOST_IDS = 90;
const MOST_TEXT = 100_000; // characters of JSON
const OLDEST = 30 * 24 * 3600; // seconds: tournament/views/entry/outbox.py
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** @typedef {import("./entries.js").Entry} Entry */

/** Where the form of each kind goes: tournament/views/desk/urls.py.
 * @type {Record<string, ["table" | "play", string]>} */
const WAYS = {
  round: ["table", "record"],
  heat: ["table", "record"],
  paper: ["table", "record"],
  start: ["table", "start"],
  roles: ["table", "roles"],
  out: ["play", "out"],
  give_up: ["play", "give-up"],
  take_back: ["play", "take-back"],
  join: ["play", "join"],
  end: ["play", "end"],
};

/** No text that `packed` made, or one that was changed on its way. */
export class Malformed extends Error {}

/** The browser cannot read what is otherwise sound. */
export class TooOld extends Error {}

/** @param {unknown} fact @returns {asserts fact} */
function check(fact) {
  if (!fact) throw new Malformed();
}

/** @param {Iterable<number>} bytes */
function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** @param {string} id */
const idBytes = (id) => (id.replaceAll("-", "").match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));

/** @param {Uint8Array} bytes */
const idText = (bytes) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** @param {number[]} bytes */
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** @param {string} text */
function fromBase64(text) {
  check(/^[\w-]+$/.test(text) && text.length < MOST_TEXT);
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new Malformed();
  }
}

/** Bytes through a stream of the browser's own; never more of them than MOST_TEXT.
 * @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream */
async function through(bytes, stream) {
  /** @type {number[]} */
  const parts = [];
  let size = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    check(size < MOST_TEXT);
    parts.push(...value);
  }
  return Uint8Array.from(parts);
}

/** @template T @param {new (format: CompressionFormat) => T} Stream @returns {T | null} */
function deflater(Stream) {
  try {
    return new Stream("deflate-raw");
  } catch {
    return null; // an older browser, or one that has no such stream
  }
}

/** The entry as text, as old as it is at `now` (ms of this phone's clock).
 * @param {Entry} entry */
export async function packed(entry, now = Date.now()) {
  const about = entry.url.split("/")[4];
  const age = Math.max(0, Math.min(Math.round((now - entry.queued) / 1000), OLDEST));
  const said = [entry.kind, about, entry.table, entry.tournament, entry.command, entry.number, age, ...entry.fields.flat()];
  const text = JSON.stringify(said);
  const ids = [...new Set(text.match(IDS) ?? [])].slice(0, MOST_IDS);
  const short = text.replace(IDS, (id) => (ids.includes(id) ? MARK + String.fromCharCode(FIRST + ids.indexOf(id)) : id));
  const plain = new TextEncoder().encode(short);
  const stream = deflater(globalThis.CompressionStream);
  const body = stream ? await through(plain, stream) : plain;
  const rest = [ids.length, ...ids.flatMap(idBytes), ...body];
  const sum = crc(rest);
  return toBase64([VERSION, stream ? DEFLATED : 0, sum >>> 24, (sum >>> 16) & 255, (sum >>> 8) & 255, sum & 255, ...rest]);
}

/** The entry that the text holds, entered so long before `now` (ms of this phone's clock); throws Malformed, TooOld.
 * @param {string} text @param {string} language @returns {Promise<Omit<Entry, "user">>} */
export async function unpacked(text, language, now = Date.now()) {
  const bytes = fromBase64(text);
  check(bytes.length > HEAD && bytes[0] === VERSION && bytes[1] <= DEFLATED);
  check(new DataView(bytes.buffer).getUint32(2) === crc(bytes.subarray(HEAD - 1)));
  const count = bytes[HEAD - 1];
  const body = bytes.subarray(HEAD + 16 * count);
  const ids = Array.from({ length: count }, (_each, at) => idText(bytes.subarray(HEAD + 16 * at, HEAD + 16 * (at + 1))));
  return entryOf(await said(body, bytes[1] === DEFLATED, ids), language, now);
}

/** @param {Uint8Array<ArrayBuffer>} body @param {boolean} deflated @param {string[]} ids @returns {Promise<unknown>} */
async function said(body, deflated, ids) {
  const stream = deflated && deflater(globalThis.DecompressionStream);
  if (deflated && !stream) throw new TooOld();
  try {
    const short = new TextDecoder("utf-8", { fatal: true }).decode(stream ? await through(body, stream) : body);
    return JSON.parse(short.replace(MARKS, (_all, /** @type {string} */ letter) => ids[letter.charCodeAt(0) - FIRST]));
  } catch {
    throw new Malformed();
  }
}

/** @param {unknown} values @param {string} language @param {number} now */
function entryOf(values, language, now) {
  check(Array.isArray(values) && values.length >= 7);
  const [kind, about, table, tournament, command, number, age, ...flat] = values;
  check(typeof kind === "string" && Object.hasOwn(WAYS, kind));
  check([about, table, tournament, command].every((id) => typeof id === "string" && ID.test(id)));
  check(number === null || Number.isSafeInteger(number));
  check(Number.isSafeInteger(age) && age >= 0 && age <= OLDEST);
  check(flat.length % 2 === 0 && flat.every((each) => typeof each === "string"));
  /** @type {[string, string][]} */
  const fields = Array.from({ length: flat.length / 2 }, (_each, at) => [flat[2 * at], flat[2 * at + 1]]);
  check(fields.some(([name, value]) => name === "command" && value === command));
  const [of, way] = WAYS[kind];
  check(of === "play" || about === table);
  return {
    command,
    tournament,
    table,
    kind,
    url: `/${language}/desk/${of}/${about}/${way}/`,
    fields,
    number,
    queued: now - age * 1000,
    state: "waiting",
  };
}
