import assert from "node:assert/strict";
import { test } from "node:test";

import {
  after,
  cardsOf,
  columnsOf,
  countIn,
  handsOf,
  isFull,
  lastIn,
  leftIn,
  pointsOf,
  reached,
  shortNames,
  turned,
} from "../../../tournament/static/lastcard/js/entry/hands.js";

const KINDS = [
  { id: "7", points: 7, copies: 8 },
  { id: "draw2", points: 20, copies: 8 },
  { id: "wild4", points: 50, copies: 4 },
];
const [AINO, BORJE] = ["aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"];
const hand = (cards) => new Map(Object.entries(cards));
const round = (winner, ...fields) => ({ fields: [["winner", winner], ...fields] });

test("a field of numbers counts what it says, and nothing where it says nothing", () => {
  assert.deepEqual(["3", "", "x", "-2", "2.9", " 4"].map(countIn), [3, 0, 0, 0, 2, 4]);
});

test("a hand is worth the points of its cards", () => {
  assert.equal(pointsOf(KINDS, hand({ 7: 2, wild4: 1 })), 64);
  assert.equal(pointsOf(KINDS, hand({ unknown: 3 })), 0);
  assert.equal(cardsOf(hand({ 7: 2, wild4: 1 })), 3);
  assert.equal(cardsOf(hand({})), 0);
});

test("there can be no more of a kind than copies, in all hands together", () => {
  const wild4 = KINDS[2];
  assert.equal(isFull(wild4, [hand({ wild4: 2 }), hand({ wild4: 1 })]), false);
  assert.equal(isFull(wild4, [hand({ wild4: 2 }), hand({ 7: 8 }), hand({ wild4: 2 })]), true);
  assert.equal(isFull({ ...wild4, copies: 8 }, [hand({ wild4: 4 })]), false);
});

test("the minus key takes the card that was tapped last and is still there, else the last kind", () => {
  assert.equal(lastIn(["7", "wild4", "7"], KINDS, hand({ 7: 1, wild4: 1 })), "7");
  assert.equal(lastIn(["7", "wild4", "7"], KINDS, hand({ wild4: 1 })), "wild4");
  assert.equal(lastIn([], KINDS, hand({ 7: 1, draw2: 1 })), "draw2");
  assert.equal(lastIn(["7"], KINDS, hand({})), undefined);
});

test("the others come in their order after whoever went out", () => {
  assert.deepEqual(after(["a", "b", "c"], "b"), ["c", "a"]);
  assert.deepEqual(after(["a", "b", "c"], "c"), ["a", "b"]);
  assert.deepEqual(after(["a", "b", "c"], undefined), ["a", "b", "c"]);
  assert.deepEqual(after(["a", "b", "c"], "x"), ["a", "b", "c"]);
});

test("a name is as short as nobody else's at the table", () => {
  assert.deepEqual(shortNames(["Aino Aalto", "Börje Berg", "Cécile"]), ["Aino", "Börje", "Cécile"]);
  assert.deepEqual(shortNames(["Aino Aalto", "Aino Berg"]), ["Aino A.", "Aino B."]);
  assert.deepEqual(shortNames(["Aino Aalto", "Aino Maria Ahola", "Dima"]), ["Aino Aalto", "Aino Maria Ahola", "Dima"]);
});

test("what tells namesakes apart stands in front, where a narrow place does not cut it off", () => {
  const namesakes = ["Matti Virtanen #1", "MATTI VIRTANEN #12", "Mátti Virtanen (Noppa (Turku))", "Ansku (A) #3", "Dima"];
  const turnedRound = ["#1 Matti Virtanen", "#12 MATTI VIRTANEN", "(Noppa (Turku)) Mátti Virtanen", "Ansku", "Dima"];
  assert.deepEqual(shortNames(namesakes), turnedRound);
  assert.deepEqual(shortNames(["Matti Virtanen #1", "Matti Meri"]), ["Matti V.", "Matti M."]);
  assert.equal(turned("Ansku (A) #3"), "#3 Ansku (A)");
});

test("the points of a round's hands are told by player", () => {
  const fields = [[`hand-${AINO}-7`, "2"], [`hand-${AINO}-draw2`, "1"], [`hand-${BORJE}-wild4`, "1"], [`hand-${BORJE}-x`, "9"]];
  assert.deepEqual([...handsOf(round(AINO, ...fields), KINDS)], [[AINO, 34], [BORJE, 50]]);
});

test("a match is over on this phone when somebody has the target with the rounds that wait", () => {
  const scored = { target: 500, totals: { [AINO]: 400, [BORJE]: 450 }, own_hand: false };
  const waits = round(AINO, [`hand-${BORJE}-wild4`, "2"]);
  assert.deepEqual(reached(scored, [waits], KINDS), { player: AINO, points: 500 });
  assert.equal(reached({ ...scored, target: 501 }, [waits], KINDS), null);
  assert.equal(reached({ ...scored, target: 450 }, [], KINDS), null); // the server says so itself
});

test("where everybody keeps their own hand, the points are theirs", () => {
  const scored = { target: 500, totals: { [BORJE]: 450 }, own_hand: true };
  assert.deepEqual(reached(scored, [round(AINO, [`hand-${BORJE}-wild4`, "1"])], KINDS), { player: BORJE, points: 500 });
});

test("chips and names stand in even rows, and Next fills the last row of keys", () => {
  assert.deepEqual([2, 3, 4, 5, 6, 7].map((n) => columnsOf(n, 3)), [2, 3, 2, 3, 3, 3]);
  assert.deepEqual([4, 5, 6, 10].map((n) => columnsOf(n, 5)), [4, 5, 3, 5]);
  assert.deepEqual([15, 16, 18].map((keys) => leftIn(5, keys)), [5, 4, 2]);
  assert.deepEqual([15, 16, 18].map((keys) => leftIn(7, keys)), [6, 5, 3]);
});
