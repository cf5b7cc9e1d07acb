// In which order entries are kept and sent, and what becomes of them. Pure: nothing here touches storage, network or page.

import { playOf, PREFIX, PROBLEMS, UNSENT } from "./entries.js";

/** @typedef {import("./entries.js").Entry} Entry */

const MOST = 50; // entries in a request
const MOST_NAMES = 200; // events or people that a request asks about
const MOST_CARRIED = 150; // entries in one link, some 60 kB: less than any browser opens
const PULSE = 8_000; // ms between signs of the server while somebody looks
const LONGEST_PAUSE = 15_000; // ms between two tries
const DIGITS = 13; // of the milliseconds in a key

/** Gives a key after every other, also where the phone's clock was put back.
 * @param {string | undefined} last @param {number} now @param {string} command */
export function keyAfter(last, now, command) {
  const before = Number(last?.slice(PREFIX.length, PREFIX.length + DIGITS) ?? 0);
  return `${PREFIX}${String(Math.max(now, before + 1)).padStart(DIGITS, "0")}:${command}`;
}

/** Tell what a form is whose command stands here already: "mended" where a person had to decide, "same" where it was tapped
 * twice, else "another", of an old copy of the page. @param {Entry} known @param {Entry} entry */
export function tookAgain(known, entry) {
  if (PROBLEMS.has(known.state)) return "mended";
  return JSON.stringify(known.fields) === JSON.stringify(entry.fields) ? "same" : "another";
}

/** The entry under a command and for a play of its own. @param {Entry} entry @param {string} command @param {string} play */
export function asAnother(entry, command, play) {
  const change = new Map(Object.entries({ command, play }));
  const fields = entry.fields.map(([name, value]) => /** @type {[string, string]} */ ([name, change.get(name) ?? value]));
  return { ...entry, command, fields };
}

/** List what is sent next, the oldest first: this user's, not tried yet, of no play that waits for another.
 * @param {[string, Entry][]} all @param {string} user @param {Set<string>} tried @param {Set<string>} held */
export function nextBatch(all, user, tried, held) {
  const fits = (/** @type {[string, Entry]} */ [key, entry]) => entry.user === user && UNSENT.has(entry.state) && !tried.has(key) && !held.has(playOf(entry));
  return all.filter(fits).slice(0, MOST);
}

/** The entry about `play`, where it was about `before`: a start that another phone sent too is that phone's game.
 * @param {Entry} entry @param {string} before @param {string} play */
export function aboutPlay(entry, before, play) {
  if (playOf(entry) !== before) return entry;
  const fields = entry.fields.map(([name, value]) => /** @type {[string, string]} */ ([name, name === "play" ? play : value]));
  return { ...entry, url: entry.url.replace(before, play), fields };
}

/** Give the server's answer to an entry, as it is kept: a name is forgotten once the server has it.
 * @param {{ state: string, play?: string }} answer @param {Entry} entry */
export function noted({ state, play: _, ...said }, { fields }) {
  if (state !== "saved") return { state, ...said };
  return { state: "confirmed", ...said, fields: fields.filter(([name]) => name !== "name") };
}

/** How long to wait until the next try, in ms: soon after a failure, then less often; else until the pulse.
 * @param {number} failures */
export const pauseAfter = (failures) => (failures ? Math.min(1000 * 2 ** (failures - 1), LONGEST_PAUSE) : PULSE);

/** List what else the server is asked: whether events are over, or plays that something refused is about, who the other
 * users are, and whether it still has what it stored last.
 * @param {Entry[]} entries @param {string} user */
export function asksAbout(entries, user) {
  const unique = (/** @type {string[]} */ values) => [...new Set(values)].slice(0, MOST_NAMES);
  return {
    tournaments: unique(entries.filter((entry) => entry.state === "confirmed").map((entry) => entry.tournament)),
    others: unique(entries.filter((entry) => entry.user !== user && entry.state !== "confirmed").map((entry) => entry.user)),
    plays: unique(entries.filter((entry) => entry.state === "refused").map(playOf)),
    last: lastOf(entries.filter((entry) => entry.state === "confirmed")).slice(0, MOST_NAMES),
  };
}

/** The last row of each event that the server said it had stored: [tournament, sequence, at].
 * @param {Entry[]} confirmed @returns {[string, number, string][]} */
function lastOf(confirmed) {
  /** @type {Map<string, [string, number, string]>} */
  const last = new Map();
  for (const { tournament, sequence, at } of confirmed) {
    if (sequence && at && tournament && sequence >= (last.get(tournament)?.[1] ?? 0)) last.set(tournament, [tournament, sequence, at]);
  }
  return [...last.values()];
}

/** List what a phone takes along to another address: all of this user's, the oldest first.
 * @param {[string, Entry][]} all @param {string} user */
export const mineToCarry = (all, user) =>
  all.map(([, entry]) => entry).filter((entry) => entry.user === user).slice(-MOST_CARRIED);

/** List what is sent again, since the server lost it: of these events, whoever entered it. Somebody who joined after the
 * backup was made joins again, as another user; what they entered then waits for a tap on "Send as me".
 * @param {[string, Entry][]} all @param {string[]} lost */
export const lostOf = (all, lost) =>
  all.filter(([, entry]) => entry.state === "confirmed" && lost.includes(entry.tournament));

/** The latest of these moments; undefined for none. @param {(string | undefined)[]} times */
export function newestOf(times) {
  const known = /** @type {string[]} */ (times.filter(Boolean));
  return known.sort((one, other) => Date.parse(one) - Date.parse(other)).at(-1);
}

/** How many of this user's wait and how many need a decision (of this tournament, where one is named), others' entries
 * that wait, and when the server had something last. @param {Entry[]} entries @param {string} user @param {string} [tournament] */
export function counted(entries, user, tournament = "") {
  const own = entries.filter((entry) => entry.user === user);
  return {
    waiting: own.filter((entry) => UNSENT.has(entry.state)).length,
    problems: own.filter((entry) => PROBLEMS.has(entry.state) && (!tournament || entry.tournament === tournament)).length,
    others: entries.filter((entry) => entry.user !== user && entry.state !== "confirmed"),
    kept: own.length,
    last: newestOf(own.filter((entry) => entry.state === "confirmed").map((entry) => entry.at)),
  };
}
