import assert from "node:assert/strict";
import { test } from "node:test";

import { begin, belongs, decksFor, fieldsOf, gameOf, received, rowOf, sent, stillIn, tapAbout, tapped } from "../../../tournament/static/lastcard/js/entry/friends_facts.js";

const SHEET = {
  ruleset: "kpgut-2016",
  players: ["Aino", "Börje", "Cécile", "Dima"].map((name, at) => ({ id: `p${at + 1}`, name })),
  games: [],
};
const game = (...players) => begin(SHEET, players, "", 1_000_000);
const out = (kept, player, seconds, kind = "out") => tapped(kept, kind, player, 1_000_000, [["elapsed_s", String(seconds)]]);

test("a game ends when one is left, and needs no duration where everybody went out", () => {
  let kept = out(game("p1", "p2", "p3"), "p2", 300);
  assert.equal(gameOf(kept).over, false);
  kept = out(kept, "p1", 754);
  assert.equal(gameOf(kept).over, true);
  assert.deepEqual(rowOf(kept, {}, 800), {
    number: 1,
    ended: "last",
    results: [
      { player: "p1", outcome: "out", elapsed_s: 754 },
      { player: "p2", outcome: "out", elapsed_s: 300 },
      { player: "p3", outcome: "last" },
    ],
  });
});

test("who gave up or was ejected has no time, but the game has its length", () => {
  const kept = out(out(out(game("p1", "p2", "p3", "p4"), "p1", 60), "p2", 120, "give_up"), "p3", 180, "eject");
  const row = rowOf(kept, {}, 999);
  assert.deepEqual([row.ended, row.duration_s], ["last", 180]);
  assert.deepEqual(row.results.slice(1), [
    { player: "p2", outcome: "gave_up" },
    { player: "p3", outcome: "ejected" },
    { player: "p4", outcome: "last" },
  ]);
});

test("the hands of whoever remains end a game at the hour or before", () => {
  const kept = out(game("p1", "p2", "p3"), "p1", 60);
  const hands = { p2: { 7: 2 }, p3: { wild: 1 } };
  assert.deepEqual(rowOf(kept, hands, 3600), {
    number: 1,
    ended: "time",
    results: [
      { player: "p1", outcome: "out", elapsed_s: 60 },
      { player: "p2", outcome: "remaining", hand: { 7: 2 } },
      { player: "p3", outcome: "remaining", hand: { wild: 1 } },
    ],
  });
  const early = rowOf({ ...kept, early: true }, hands, 500);
  assert.deepEqual([early.ended, early.duration_s], ["early", 500]);
});

test("a tap taken back puts the player back, and its time can be typed", () => {
  const kept = out(game("p1", "p2"), "p1", 60);
  const back = tapped(kept, "take_back", "p1", 1);
  assert.deepEqual(gameOf(back).game.players.map(({ outcome }) => outcome), ["playing", "playing"]);
  assert.equal(tapAbout(kept, "p1").kind, "out");
  assert.equal(gameOf(tapped(back, "out", "p1", 1, [["at", "41:30"]])).game.players[0].elapsed, 2490);
});

test("a latecomer joins, and the start counts the minutes that had gone", () => {
  const kept = begin(SHEET, ["p1", "p2"], "5", 1_000_000);
  assert.equal(gameOf(kept).game.began, 700_000);
  assert.equal(gameOf(tapped(kept, "join", "p3", 1)).game.players.length, 3);
});

test("a game belongs to the next row of the sheet of the same people", () => {
  const kept = game("p1", "p2");
  const named = (...names) => ({ ...SHEET, players: names.map((name, at) => ({ id: `p${at + 1}`, name })) });
  assert.equal(belongs(kept, SHEET), true);
  assert.equal(belongs(kept, named("Aino", "Bo", "Cécile", "Dima", "Eeva")), true, "a name was mended");
  assert.equal(belongs(kept, named("Eeva", "Fatima", "Gaia", "Hanna")), false);
  assert.equal(belongs(kept, named("Aino")), false);
  assert.equal(belongs(kept, { ...SHEET, games: [rowOf(out(kept, "p1", 1), {}, 1)] }), false);
  assert.equal(belongs(kept, { ...SHEET, ruleset: "other" }), false);
  assert.equal(belongs(null, SHEET), false);
});

test("who was ejected plays no more, and decks follow from the players or the settings", () => {
  const row = rowOf(out(out(game("p1", "p2", "p3"), "p1", 1, "eject"), "p2", 2), {}, 2);
  assert.deepEqual(stillIn({ ...SHEET, games: [row] }), ["p2", "p3", "p4"]);
  assert.deepEqual([decksFor("", "7", 7), decksFor("", "7", 8), decksFor("3", "7", 8), decksFor("", "", 12)], [1, 2, 3, 1]);
});

test("a game becomes the fields of the form that a referee fills", () => {
  const over = out(out(game("p1", "p2", "p3"), "p2", 300), "p1", 754, "give_up");
  assert.deepEqual(Object.fromEntries(fieldsOf(rowOf(over, {}, 800))), {
    ended: "last",
    duration: "12:34",
    "outcome-p1": "gave_up",
    "time-p1": "",
    "outcome-p2": "out",
    "time-p2": "5:00",
    "outcome-p3": "last",
    "time-p3": "",
  });
  const hour = Object.fromEntries(fieldsOf(rowOf(out(game("p1", "p2", "p3"), "p2", 300), { p1: { 7: 2 }, p3: { wild: 1 } }, 3600)));
  assert.deepEqual([hour.ended, hour.duration, hour["outcome-p1"], hour["hand-p1-7"], hour["hand-p3-wild"]], ["time", "", "remaining", "2", "1"]);
});

test("a game is taken over with its taps, and with the names of the sheet, not with those of the other phone", () => {
  const kept = out(game("p1", "p2", "p3"), "p2", 300);
  assert.equal(sent(kept).includes("Aino"), false);
  assert.deepEqual(received(sent(kept), SHEET), kept);
  const later = { ...SHEET, games: [{ results: [] }] };
  for (const text of ["", "[]", '{"taps":[{}]}', '{"taps":1}', "{"]) assert.equal(received(text, SHEET), null);
  assert.equal(received(sent(kept), later), null);
});
