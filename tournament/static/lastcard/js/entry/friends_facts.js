// A KPGUT game that friends time on their own device: what is kept of it, whose it is, and the row of the score sheet
// that it becomes. Its taps are kept like a referee's entries, so that game_facts.js reads both. Pure.

import { newId, valueOf } from "../outbox/entries.js";
import { timeText } from "../times.js";
import { known } from "./game_facts.js";

/** @typedef {import("../outbox/entries.js").Entry} Entry */
/** @typedef {import("./game_facts.js").Game} Game */
/** @typedef {{ ruleset: string, players: { id: string, name: string }[], games: any[], settings?: Record<string, any> }} Sheet */
/**
 * A game that has begun: `names` of everybody at the table by id, its taps, the hands typed so far by field, and whether
 * it is stopped before the hour, or goes on beside another phone's.
 * @typedef {{ ruleset: string, number: number, names: Record<string, string>, taps: Entry[], hands: Record<string, string>, early: boolean, agreed?: boolean }} Kept
 */

/** A tap as an entry of game_facts.js, made at `now` (ms of the day). It is never sent.
 * @param {string} kind @param {[string, string][]} fields @param {number} now @returns {Entry} */
function tapOf(kind, fields, now) {
  return {
    command: "", user: "", tournament: "", table: "", url: "", number: null,
    kind, fields, queued: now, state: "confirmed",
  };
}

/** A game that begins. @param {Sheet} sheet @param {string[]} players @param {string} ago full minutes since it began @param {number} now
 * @returns {Kept} */
export function begin(sheet, players, ago, now) {
  const number = sheet.games.length + 1;
  const who = players.map((player) => /** @type {[string, string]} */ (["player", player]));
  const start = tapOf("start", [["play", newId()], ["number", String(number)], ["ago", ago], ...who], now);
  const names = Object.fromEntries(sheet.players.map(({ id, name }) => [id, name]));
  return { ruleset: sheet.ruleset, number, names, taps: [start], hands: {}, early: false };
}

/** The game with one tap more, about a player. @param {Kept} kept @param {string} kind @param {string} player @param {number} now
 * @param {[string, string][]} [fields] @returns {Kept} */
export function tapped(kept, kind, player, now, fields = []) {
  const play = valueOf(kept.taps[0], "play");
  return { ...kept, taps: [...kept.taps, tapOf(kind, [["play", play], ["entry", player], ...fields], now)] };
}

/** The game of these taps: running, or over because one is left. @param {Kept} kept */
export function gameOf(kept) {
  const { number, names, taps } = kept;
  const facts = { number, names, roles: { oldest: "", youngest: "", ask: false }, game: null, version: 0 };
  const { game, ended } = known(facts, taps);
  return { game: /** @type {Game} */ (game ?? ended), over: !game };
}

/** Whether a game that is kept is the next one of this sheet: the ids of two tables look alike, their names do not.
 * @param {Kept | null} kept @param {Sheet} sheet @returns {boolean} */
export function belongs(kept, sheet) {
  if (kept?.ruleset !== sheet.ruleset || kept.number !== sheet.games.length + 1) return false;
  const names = new Map(sheet.players.map(({ id, name }) => [id, name]));
  const players = kept.taps.flatMap(({ fields }) => fields.filter(([name]) => name === "player").map(([, id]) => id));
  return players.every((id) => names.has(id)) && players.some((id) => names.get(id) === kept.names[id]);
}

/** A game without names, for another phone. @param {Kept} kept */
export const sent = (kept) => JSON.stringify({ ...kept, names: {} });

/** What another phone sent; null if it is not this sheet's next game. @param {string} text @param {Sheet} sheet @returns {Kept | null} */
export function received(text, sheet) {
  try {
    const kept = { ...JSON.parse(text), names: Object.fromEntries(sheet.players.map(({ id, name }) => [id, name])) };
    return belongs(kept, sheet) && gameOf(kept).game ? kept : null;
  } catch {
    return null; // of an older page, or made up
  }
}

/** Whether both are one game, at different times. @param {Kept | null} one @param {Kept | null} other */
export const isSame = (one, other) => one !== null && other !== null && valueOf(one.taps[0], "play") === valueOf(other.taps[0], "play");

/** The players of the sheet who were not ejected in an earlier game. @param {Sheet} sheet */
export function stillIn(sheet) {
  const gone = sheet.games.flatMap((/** @type {any} */ { results }) =>
    results.filter((/** @type {any} */ each) => each.outcome === "ejected").map((/** @type {any} */ each) => each.player));
  return sheet.players.map(({ id }) => id).filter((id) => !gone.includes(id));
}

/** How many decks are on the table, in a game of so many. @param {string} typed by the settings @param {string} perDeck @param {number} players */
export const decksFor = (typed, perDeck, players) => Number(typed) || Math.max(1, Math.ceil(players / (Number(perDeck) || players)));

/**
 * The row of the score sheet; `hands` by player of those who hold cards, `elapsed` seconds when the game was stopped.
 * @param {Kept} kept @param {Record<string, Record<string, number>>} hands @param {number} elapsed
 */
export function rowOf(kept, hands, elapsed) {
  const { game, over } = gameOf(kept);
  const ended = over ? "last" : kept.early ? "early" : "time";
  const left = game.players.some(({ outcome }) => outcome === "gave_up" || outcome === "ejected");
  const latest = Math.max(0, ...game.players.map((player) => player.elapsed ?? 0));
  const duration = ended === "early" ? Math.max(elapsed, latest) : over && left ? latest : null;
  const results = game.players.map(({ entry: player, outcome, elapsed: at }) => {
    if (outcome === "out") return { player, outcome, elapsed_s: at };
    return outcome === "playing" ? { player, outcome: "remaining", hand: hands[player] ?? {} } : { player, outcome };
  });
  return { number: kept.number, ended, ...(duration === null ? {} : { duration_s: duration }), results };
}

/** The tap by which somebody left the game.
 * @param {Kept} kept @param {string} player */
export const tapAbout = (kept, player) =>
  kept.taps.findLast((tap) => valueOf(tap, "entry") === player && tap.kind !== "take_back" && tap.kind !== "join");

/** The row as the fields of a referee's form for a whole game (tournament/results/typed.py).
 * @param {ReturnType<typeof rowOf>} row @returns {[string, string][]} */
export function fieldsOf({ ended, duration_s: duration, results }) {
  const time = (/** @type {number | null | undefined} */ seconds) => (typeof seconds === "number" ? timeText(seconds) : "");
  return [
    ["ended", ended],
    ["duration", time(duration)],
    ...results.flatMap(({ player, outcome, elapsed_s: elapsed, hand = {} }) => [
      /** @type {[string, string]} */ ([`outcome-${player}`, outcome]),
      /** @type {[string, string]} */ ([`time-${player}`, time(elapsed)]),
      ...Object.entries(hand).map(([card, count]) => /** @type {[string, string]} */ ([`hand-${player}-${card}`, String(count)])),
    ]),
  ];
}
