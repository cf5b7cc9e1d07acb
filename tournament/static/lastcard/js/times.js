// Times as people read and type them, and how clocks count. Pure: nothing here touches the page or asks what time it is.

const ASLEEP = 2_000; // ms by which the time of day may run ahead before the phone counts as having slept
const LONGEST = 6 * 3_600_000; // ms; a longer leap is somebody setting the phone's clock
const MOST = 12; // games whose beginning is remembered

/** @param {number} number */
export const two = (number) => String(number).padStart(2, "0");

/** Seconds as they are read: 41:05, 0:07. @param {number} seconds */
export const timeText = (seconds) => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;

/** Seconds as a clock shows them: 41:05, 00:07. @param {number} seconds */
export const faceText = (seconds) => `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;

/** Seconds of a time as people type it, 41:30 or 41; NaN for anything else. @param {string} text */
export function typedSeconds(text) {
  const found = /^([0-9]{1,3})(?:[:.,]([0-5][0-9]))?$/.exec(text.trim());
  return found ? Number(found[1]) * 60 + Number(found[2] ?? 0) : Number.NaN;
}

/**
 * From where a clock counts: `base` ms had gone when the phone's steady clock said `since` and its time of day `sinceDay`;
 * since then it `slept` so many ms.
 * @typedef {{ base: number, since: number, sinceDay: number, slept?: number }} Anchor
 */

/**
 * The anchor with what the phone slept: its steady clock may stand still then, and the day's goes on. Where the day's was
 * set, it counts from now, so that the sleep before stays and a later one is seen.
 * @param {Anchor} anchor @param {number} steady @param {number} day
 * @returns {Required<Anchor>}
 */
export function followed({ base, since, sinceDay, slept = 0 }, steady, day) {
  const gone = steady - since;
  const ahead = day - sinceDay - gone;
  if (ahead < -ASLEEP || ahead >= LONGEST) return { base: base + gone + slept, since: steady, sinceDay: day, slept: 0 };
  return { base, since, sinceDay, slept: ahead > ASLEEP ? ahead : 0 };
}

/** Milliseconds since the game began. @param {Anchor} anchor @param {number} steady @param {number} day */
export function elapsedSince(anchor, steady, day) {
  const { base, since, slept } = followed(anchor, steady, day);
  return base + steady - since + slept;
}

/**
 * How long a game has gone on, in ms, by the newest word of the server: what an earlier page remembered of it, or what
 * this page says (`elapsed` ms, `age` ms ago); by when it began on this phone where the server has said nothing (no `at`).
 * @param {{ at: number, elapsed: number, began?: number }} said
 * @param {{ at: number, began: number } | undefined} before
 * @param {number} day @param {number} age
 */
export function goneOn({ at, elapsed, began }, before, day, age) {
  if (before && before.at >= at) return day - before.began;
  return began && !at ? day - began : elapsed + age;
}

/**
 * The games that are remembered, with this one: those of which the server spoke last.
 * @param {Record<string, { at: number, began: number }>} games
 * @param {string} game @param {number} at @param {number} began
 */
export function withGame(games, game, at, began) {
  const all = Object.entries({ ...games, [game]: { at, began } });
  return Object.fromEntries(all.sort(([, one], [, other]) => other.at - one.at).slice(0, MOST));
}

/**
 * Between which numbers of ms another clock is ahead of ours.
 * @typedef {[number, number]} Doubt
 */

/** How many ms are in doubt. @param {Doubt} doubt */
export const doubtOf = ([least, most]) => most - least;

/**
 * What is left in doubt after an answer: it says the other clock's time `said` in whole seconds, cut off, and was asked
 * for at `before` and here at `after` by ours. Where it does not agree with what was known, a clock was set: the answer counts.
 * @param {Doubt} doubt @param {number} before @param {number} after @param {number} said
 * @returns {Doubt}
 */
export function narrowed([least, most], before, after, said) {
  /** @type {Doubt} */
  const now = [said - after, said + 1000 - before];
  /** @type {Doubt} */
  const both = [Math.max(least, now[0]), Math.min(most, now[1])];
  return both[0] <= both[1] ? both : now;
}

/**
 * In how many ms to ask again so that the answer halves the doubt: when the other clock's second begins by the middle
 * of what is in doubt. 0 where nothing is known yet.
 * @param {Doubt} doubt @param {number} now
 */
export function halving([least, most], now) {
  const there = now + (least + most) / 2;
  return Number.isFinite(there) ? (1000 - (((there % 1000) + 1000) % 1000)) % 1000 : 0;
}

/**
 * What a hall's clock shows when so many ms are left: the minutes and seconds, and which of its words: that the last
 * hand is played (`last` minutes before the end, or at the end), that the time is up, or in a break (no `last`) that
 * play goes on.
 * @param {number} left @param {number | null} last @param {boolean} bell at the end nothing more is played
 * @returns {{ face: string, says: "" | "last" | "over" | "on" }}
 */
export function hallText(left, last, bell = false) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const face = faceText(seconds);
  if (last === null) return { face, says: seconds ? "" : "on" };
  if (seconds) return { face, says: seconds <= last * 60 ? "last" : "" };
  return { face, says: last || bell ? "over" : "last" };
}
