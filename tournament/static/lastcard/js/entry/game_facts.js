// A KPGUT table as this phone knows it: what the server said (the page's facts) and, on top, what was entered here that
// the page does not know of yet. Pure: nothing here touches the page. Taps that the server has carried out already change
// nothing when they are laid over its facts again.

import { enteredAt, playOf, PROBLEMS, valueOf } from "../outbox/entries.js";
import { typedSeconds } from "../times.js";

/** @typedef {import("../outbox/entries.js").Entry} Entry */
/** @typedef {{ entry: string, outcome: string, elapsed: number | null, waiting?: boolean }} Player */
/**
 * A game; `waiting` where the server has not confirmed its start, `began` (ms of this phone's time of day) where it
 * started here.
 * @typedef {{ uid: string, number: number, players: Player[], began?: number, waiting?: boolean }} Game
 */
/** @typedef {{ oldest: string, youngest: string, ask: boolean }} Roles */
/**
 * The server's facts: the next number, who sits here, the running game, everybody's name by entry, the row of the ledger it knows.
 * @typedef {{ number: number, seated?: string[], names: Record<string, string>, roles: Roles, game: Game | null, version: number }} Facts
 */
/**
 * The table as this phone knows it: the running game, and the one that ended on this phone.
 * @typedef {Omit<Facts, "version" | "seated"> & { ended: Game | null }} Known
 */

const LEFT = new Map([["out", "out"], ["give_up", "gave_up"], ["eject", "ejected"]]); // the last by friends alone

/** List the entries of this table that a page of this version does not show, the oldest first.
 * @param {string} table @param {number} version */
export function overlay(table, version) {
  const shown = (/** @type {Entry} */ { state, sequence = 0 }) => state === "confirmed" && sequence <= version;
  return enteredAt(table).filter((entry) => !PROBLEMS.has(entry.state) && !shown(entry));
}

/** @param {Entry} entry @param {string} name */
const values = (entry, name) => entry.fields.filter(([each]) => each === name).map(([, value]) => value);

/** When a tap says that a player left the game, in seconds of its clock. @param {Entry} entry */
function momentOf(entry) {
  const at = typedSeconds(valueOf(entry, "at"));
  return Number.isNaN(at) ? Math.max(0, Number(valueOf(entry, "elapsed_s")) - 60 * Number(valueOf(entry, "ago"))) : at;
}

/** @param {Game} game */
const still = (game) => game.players.filter((player) => player.outcome === "playing");

/** @param {Known} known @param {Entry} entry */
function start(known, entry) {
  const number = Number(valueOf(entry, "number"));
  if (known.game || number < known.number) return;
  known.number = number + 1;
  known.ended = null;
  known.game = {
    uid: valueOf(entry, "play"),
    number,
    players: values(entry, "player").map((player) => ({ entry: player, outcome: "playing", elapsed: null })),
    began: entry.queued - 60_000 * Number(valueOf(entry, "ago")),
    waiting: entry.state !== "confirmed",
  };
}

/** @param {Known} known @param {Entry} entry */
function leave(known, entry) {
  const { game } = known;
  const player = game?.players.find((each) => each.entry === valueOf(entry, "entry"));
  if (game?.uid !== playOf(entry) || player?.outcome !== "playing") return;
  Object.assign(player, { outcome: LEFT.get(entry.kind) ?? "", elapsed: momentOf(entry), waiting: entry.state !== "confirmed" });
  const left = still(game);
  if (left.length > 1) return;
  for (const last of left) last.outcome = "last";
  end(known);
}

/** @param {Known} known */
function end(known) {
  known.ended = known.game;
  known.game = null;
}

/** @param {Known} known @param {Entry} entry */
function finish(known, entry) {
  if (known.game?.uid !== playOf(entry)) return;
  for (const player of still(known.game)) player.outcome = "remaining";
  end(known);
}

/** @param {Known} known @param {Entry} entry */
function takeBack(known, entry) {
  const game = [known.game, known.ended].find((each) => each?.uid === playOf(entry));
  const player = game?.players.find((each) => each.entry === valueOf(entry, "entry"));
  if (!game || !player || (game !== known.game && known.game)) return;
  for (const each of game.players) {
    if (each === player || each.outcome === "last") Object.assign(each, { outcome: "playing", elapsed: null, waiting: false });
  }
  known.game = game;
  known.ended = null;
}

/** @param {Known} known @param {Entry} entry */
function join(known, entry) {
  const player = valueOf(entry, "entry");
  if (known.game?.uid !== playOf(entry) || known.game.players.some((each) => each.entry === player)) return;
  known.game.players.push({ entry: player, outcome: "playing", elapsed: null });
  const name = valueOf(entry, "name"); // of somebody from outside, whom the server does not know yet
  if (name) known.names = { [player]: name, ...known.names };
}

/** @param {Known} known @param {Entry} entry */
function paper(known, entry) {
  known.number = Math.max(known.number, Number(valueOf(entry, "number")) + 1);
}

/** @param {Known} known @param {Entry} entry */
function roles(known, entry) {
  const named = (/** @type {string} */ role) => known.names[valueOf(entry, role)] ?? "";
  known.roles = { oldest: named("oldest"), youngest: named("youngest"), ask: false };
}

/** @type {Record<string, (known: Known, entry: Entry) => void>} */
const KINDS = { start, out: leave, give_up: leave, eject: leave, take_back: takeBack, join, end: finish, paper, roles };

/** The table as it is, with these entries on top of the facts. @param {Facts} facts @param {Entry[]} entries */
export function known(facts, entries) {
  const { number, names, roles } = facts;
  /** @type {Known} */
  const result = { number, names, roles, game: structuredClone(facts.game ?? null), ended: null };
  for (const entry of entries) KINDS[entry.kind]?.(result, entry);
  return result;
}
