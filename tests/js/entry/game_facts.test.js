import assert from "node:assert/strict";
import { test } from "node:test";

import { known, overlay } from "../../../tournament/static/lastcard/js/entry/game_facts.js";

const GAME = "aaaaaaaa-0000-4000-8000-000000000001";
const OTHER = "aaaaaaaa-0000-4000-8000-000000000002";
const ROLES = { oldest: "", youngest: "", ask: true };
const playing = (entry) => ({ entry, outcome: "playing", elapsed: null });
const facts = (...players) => ({
  version: 5,
  number: 3,
  names: { a: "Aino", b: "Börje", c: "Cécile" },
  roles: ROLES,
  game: players.length ? { uid: GAME, number: 2, players: players.map(playing) } : null,
});
const tap = (kind, fields = {}, change = {}) => ({
  kind,
  url: `/en/desk/play/${GAME}/${kind}/`,
  fields: Object.entries(fields),
  state: "waiting",
  queued: 1_000_000,
  ...change,
});
const start = (number, ...players) =>
  tap("start", {}, { url: "/en/desk/table/t/start/", fields: [["play", OTHER], ["number", String(number)], ["ago", "2"], ...players.map((each) => ["player", each])] });
const outcomes = (game) => Object.fromEntries(game.players.map(({ entry, outcome, elapsed }) => [entry, [outcome, elapsed]]));

test("without entries the table is as the server said, and what is laid over it leaves the facts alone", () => {
  const said = facts("a", "b");
  assert.deepEqual(known(said, []), { number: 3, names: said.names, roles: ROLES, game: said.game, ended: null });
  known(said, [tap("out", { entry: "a", elapsed_s: "60" })]);
  assert.deepEqual(said, facts("a", "b"));
});

test("a tap takes a player out, at the time typed, or so many minutes before the tap", () => {
  const at = (fields) => known(facts("a", "b", "c"), [tap("out", { entry: "a", ...fields })]).game.players[0];
  assert.deepEqual(at({ elapsed_s: "300" }), { entry: "a", outcome: "out", elapsed: 300, waiting: true });
  assert.equal(at({ elapsed_s: "300", ago: "2" }).elapsed, 180);
  assert.equal(at({ elapsed_s: "60", ago: "2" }).elapsed, 0);
  assert.equal(at({ elapsed_s: "300", at: "4:10" }).elapsed, 250);
});

test("a tap that the server has carried out already changes nothing when it is laid over again", () => {
  const once = known(facts("a", "b", "c"), [tap("out", { entry: "a", elapsed_s: "300" })]);
  const again = tap("out", { entry: "a", elapsed_s: "400" });
  assert.deepEqual(outcomes(known({ ...facts(), game: once.game }, [again]).game), outcomes(once.game));
});

test("somebody from outside joins once, under the name that this phone was told", () => {
  const said = facts("a", "b");
  const join = tap("join", { entry: "d", name: "Dima" });
  const { game, names } = known(said, [join, join]);
  assert.deepEqual(outcomes(game), { a: ["playing", null], b: ["playing", null], d: ["playing", null] });
  assert.equal(names.d, "Dima");
  assert.equal(said.names.d, undefined);
});

test("the game ends when one is left, and a tap taken back opens it again", () => {
  const taps = [tap("out", { entry: "a", elapsed_s: "300" }), tap("give_up", { entry: "b", elapsed_s: "400" })];
  const { game, ended } = known(facts("a", "b", "c"), taps);
  assert.equal(game, null);
  assert.deepEqual(outcomes(ended), { a: ["out", 300], b: ["gave_up", 400], c: ["last", null] });
  const back = known(facts("a", "b", "c"), [...taps, tap("take_back", { entry: "b" })]);
  assert.equal(back.ended, null);
  assert.deepEqual(outcomes(back.game), { a: ["out", 300], b: ["playing", null], c: ["playing", null] });
});

test("a tap is not taken back out of a game that another one followed", () => {
  const taps = [tap("out", { entry: "a", elapsed_s: "300" }), start(3, "a", "b"), tap("take_back", { entry: "a" })];
  const { game } = known(facts("a", "b"), taps);
  assert.equal(game.uid, OTHER);
});

test("the hands end the game for who remain", () => {
  const { game, ended } = known(facts("a", "b", "c"), [tap("out", { entry: "a", elapsed_s: "9" }), tap("end")]);
  assert.equal(game, null);
  assert.deepEqual(outcomes(ended), { a: ["out", 9], b: ["remaining", null], c: ["remaining", null] });
});

test("a game starts on this phone with its number, and the next is one more", () => {
  const { game, number } = known(facts(), [start(3, "a", "b")]);
  assert.equal(number, 4);
  assert.deepEqual(game, { uid: OTHER, number: 3, players: [playing("a"), playing("b")], began: 880_000, waiting: true });
  assert.equal(known(facts(), [start(2, "a", "b")]).game, null); // of an old copy of the page
  assert.equal(known(facts("a", "b"), [start(3, "a", "b")]).game.uid, GAME); // one runs
});

test("a latecomer joins once, and only the game that runs", () => {
  const join = tap("join", { entry: "c" });
  assert.deepEqual(known(facts("a", "b"), [join, join]).game.players.map(({ entry }) => entry), ["a", "b", "c"]);
  assert.equal(known(facts(), [join]).game, null);
});

test("a game from paper moves the number on, and roles have their names", () => {
  assert.equal(known(facts(), [tap("paper", { number: "7" })]).number, 8);
  assert.equal(known(facts(), [tap("paper", { number: "1" })]).number, 3);
  const roles = tap("roles", { oldest: "a", youngest: "x" });
  assert.deepEqual(known(facts(), [roles]).roles, { oldest: "Aino", youngest: "", ask: false });
});

test("what is of no known kind changes nothing", () => {
  assert.deepEqual(known(facts("a", "b"), [tap("round")]), known(facts("a", "b"), []));
});

test("what the page shows already is not laid over it, nor what was refused", () => {
  const entries = [
    { table: "t", state: "confirmed", sequence: 5 },
    { table: "t", state: "confirmed", sequence: 6 },
    { table: "t", state: "waiting" },
    { table: "t", state: "refused" },
    { table: "t", state: "conflict" },
    { table: "u", state: "waiting" },
  ];
  const keys = entries.map((_, index) => `lastcard:out:${index}`);
  globalThis.localStorage = { length: keys.length, key: (index) => keys[index], getItem: (key) => JSON.stringify(entries[keys.indexOf(key)]) };
  assert.deepEqual(overlay("t", 5), [entries[1], entries[2]]);
});
