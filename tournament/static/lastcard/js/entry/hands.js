// Hands of cards: what they hold, what they are worth, and what follows for a match until the server says it. Pure:
// nothing here touches the page. The server counts the points; these are a convenience while somebody counts.

import { valueOf } from "../outbox/entries.js";

/** @typedef {import("../outbox/entries.js").Entry} Entry */
/** A kind of card, how many of it there are, and what one is worth. @typedef {{ id: string, points: number, copies: number }} Kind */
/** How many of which kind. @typedef {ReadonlyMap<string, number>} Hand */

/** Read a field of numbers: nothing and nonsense give none. @param {string} text */
export const countIn = (text) => Math.max(0, Number.parseInt(text, 10) || 0);

/** @param {readonly Kind[]} kinds @param {Hand} hand */
export const pointsOf = (kinds, hand) => kinds.reduce((sum, { id, points }) => sum + points * (hand.get(id) ?? 0), 0);

/** @param {Hand} hand */
export const cardsOf = (hand) => [...hand.values()].reduce((sum, count) => sum + count, 0);

/** Whether all cards of a kind are held, so that there can be no more. @param {Kind} kind @param {readonly Hand[]} hands */
export const isFull = ({ id, copies }, hands) => hands.reduce((sum, hand) => sum + (hand.get(id) ?? 0), 0) >= copies;

/** Find what the minus key takes off: the kind tapped last that the hand still holds, else the last kind that it holds.
 * @param {readonly string[]} taps @param {readonly Kind[]} kinds @param {Hand} hand */
export function lastIn(taps, kinds, hand) {
  return [...kinds.map(({ id }) => id), ...taps].reverse().find((id) => (hand.get(id) ?? 0) > 0);
}

/** Everybody after this one in the order in which they sit, without them; all where they are nobody here.
 * @template T @param {readonly T[]} all @param {T | undefined} from @returns {T[]} */
export function after(all, from) {
  const at = from === undefined ? -1 : all.indexOf(from);
  return [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))];
}

/** How many columns make the rows of so many things even, with at most `most` in a row. @param {number} things @param {number} most */
export const columnsOf = (things, most) => Math.ceil(things / Math.ceil(things / most));

/** How many columns are left in the last row beside so many keys; a whole row where it is full. @param {number} columns @param {number} keys */
export const leftIn = (columns, keys) => columns - (keys % columns);

const APART = /^(.+?) (#\d+|\(.+\))$/u; // "Anna #12", "Anna (Club)"
const { compare } = new Intl.Collator("en", { sensitivity: "base" });

/** A namesake with the ending in front, never cut off: "#12 Anna". @param {string} name */
export const turned = (name) => name.replace(APART, "$2 $1");

/** Names for narrow places: the first word where nobody else has it, or with an initial, else the name.
 * @param {readonly string[]} names */
export function shortNames(names) {
  /** @type {((name: string) => string)[]} */
  const ways = [
    (name) => name.split(/\s/u)[0],
    (name) => name.replace(APART, "$1").replace(/^(\S+).*\s(\S)\S*$/u, "$1 $2."),
  ];
  return names.map((name) => {
    const alone = ways.find((way) => names.filter((other) => !compare(way(other), way(name))).length === 1);
    return (alone ?? turned)(name);
  });
}

/** The points of each hand of a round, by player. @param {Entry} round @param {readonly Kind[]} kinds */
export function handsOf(round, kinds) {
  const points = new Map(kinds.map((kind) => [kind.id, kind.points]));
  /** @type {Map<string, number>} */
  const hands = new Map();
  for (const [field, count] of round.fields) {
    const [, player, card] = /^hand-([0-9a-f-]{36})-(\w+)$/.exec(field) ?? [];
    const worth = points.get(card);
    if (worth !== undefined) hands.set(player, (hands.get(player) ?? 0) + worth * Number(count));
  }
  return hands;
}

/**
 * Find who has reached the target with the rounds that the server has not scored; null for nobody.
 * @param {{ target: number, totals: Record<string, number>, own_hand: boolean }} scored
 * @param {Entry[]} rounds @param {readonly Kind[]} kinds
 */
export function reached(scored, rounds, kinds) {
  const totals = new Map(Object.entries(scored.totals));
  for (const round of rounds) {
    for (const [player, points] of handsOf(round, kinds)) {
      const gets = scored.own_hand ? player : valueOf(round, "winner");
      totals.set(gets, (totals.get(gets) ?? 0) + points);
    }
  }
  const [most] = [...totals].sort((one, other) => other[1] - one[1]);
  return rounds.length && most && most[1] >= scored.target ? { player: most[0], points: most[1] } : null;
}
