// A KPGUT table as this phone knows it: what the server said (the page's facts) and, on top, what was entered here that
// the page does not know of yet. Pure: nothing here touches the page. Taps that the server has carried out already change
// nothing when they are laid over its facts again.
//
//   facts = {table, version, number, names: {entry: name}, game: {uid, number, players: [{entry, outcome, elapsed}]} | null,
//            roles: {oldest: name, youngest: name, ask}}
//   gives {number, roles, game, ended}: the next number, the running game, and the game that ended on this phone; both with
//   `waiting` where the server has not confirmed the start or a tap, and `began` (phone's time of day, ms) for a game
//   that started here

import { enteredAt, playOf, PROBLEMS, valueOf } from "../outbox/entries.js";

const LEFT = { out: "out", give_up: "gave_up" };

/** What was entered at this table that a page of this version does not show: the oldest first. */
export function overlay(table, version) {
  const shown = ({ state, sequence }) => state === "confirmed" && sequence <= version;
  return enteredAt(table).filter((entry) => !PROBLEMS.has(entry.state) && !shown(entry));
}

const values = (entry, name) => entry.fields.filter(([each]) => each === name).map(([, value]) => value);

/** Seconds of a time as people type it, 41:30 or 41; NaN for anything else. */
export function typedSeconds(text) {
  const found = /^([0-9]{1,3})(?:[:.,]([0-5][0-9]))?$/.exec(text.trim());
  return found ? Number(found[1]) * 60 + Number(found[2] ?? 0) : Number.NaN;
}

/** When a tap says that a player left the game, in seconds of its clock. */
function momentOf(entry) {
  const at = typedSeconds(valueOf(entry, "at"));
  return Number.isNaN(at) ? Math.max(0, Number(valueOf(entry, "elapsed_s")) - 60 * Number(valueOf(entry, "ago"))) : at;
}

const still = (game) => game.players.filter((player) => player.outcome === "playing");

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

function leave(known, entry) {
  const game = known.game;
  const player = game?.players.find((each) => each.entry === valueOf(entry, "entry"));
  if (game?.uid !== playOf(entry) || player?.outcome !== "playing") return;
  Object.assign(player, { outcome: LEFT[entry.kind], elapsed: momentOf(entry), waiting: entry.state !== "confirmed" });
  const left = still(game);
  if (left.length > 1) return;
  for (const last of left) last.outcome = "last";
  end(known);
}

function end(known) {
  known.ended = known.game;
  known.game = null;
}

function finish(known, entry) {
  if (known.game?.uid !== playOf(entry)) return;
  for (const player of still(known.game)) player.outcome = "remaining";
  end(known);
}

function takeBack(known, entry) {
  const game = [known.game, known.ended].find((each) => each?.uid === playOf(entry));
  const player = game?.players.find((each) => each.entry === valueOf(entry, "entry"));
  if (!player || (game !== known.game && known.game)) return;
  for (const each of game.players) {
    if (each === player || each.outcome === "last") Object.assign(each, { outcome: "playing", elapsed: null, waiting: false });
  }
  known.game = game;
  known.ended = null;
}

function join(known, entry) {
  const player = valueOf(entry, "entry");
  if (known.game?.uid !== playOf(entry) || known.game.players.some((each) => each.entry === player)) return;
  known.game.players.push({ entry: player, outcome: "playing", elapsed: null });
}

function paper(known, entry) {
  known.number = Math.max(known.number, Number(valueOf(entry, "number")) + 1);
}

function roles(known, entry) {
  const named = (role) => known.names[valueOf(entry, role)] ?? "";
  known.roles = { oldest: named("oldest"), youngest: named("youngest"), ask: false };
}

const KINDS = { start, out: leave, give_up: leave, take_back: takeBack, join, end: finish, paper, roles };

/** The table as it is, with these entries on top of the facts. */
export function known(facts, entries) {
  const { number, names, roles } = facts;
  const result = { number, names, roles, game: structuredClone(facts.game ?? null), ended: null };
  for (const entry of entries) KINDS[entry.kind]?.(result, entry);
  return result;
}
