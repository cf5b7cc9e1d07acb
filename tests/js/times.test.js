import assert from "node:assert/strict";
import { test } from "node:test";

import { elapsedSince, faceText, followed, goneOn, timeText, typedSeconds, withGame } from "../../tournament/static/lastcard/js/times.js";

const HOUR = 3_600_000;

test("times are read with and without leading zeros", () => {
  assert.deepEqual([0, 7, 65, 3600].map(timeText), ["0:00", "0:07", "1:05", "60:00"]);
  assert.deepEqual([0, 7, 65, 3600].map(faceText), ["00:00", "00:07", "01:05", "60:00"]);
});

test("times are typed as minutes, or as minutes and seconds", () => {
  const cases = { "41": 2460, "41:30": 2490, " 0.05 ": 5, "9,59": 599, "100:00": 6000 };
  for (const [text, seconds] of Object.entries(cases)) assert.equal(typedSeconds(text), seconds, text);
});

test("what is no time is not a number", () => {
  for (const text of ["", "x", "1:60", "1:5", "1000", "-1", "1:00:00"]) assert.ok(Number.isNaN(typedSeconds(text)), text);
});

test("a clock goes on with the steady clock, whatever small steps the time of day makes", () => {
  const anchor = { base: 60_000, since: 500, sinceDay: 1_000_000 };
  assert.equal(elapsedSince(anchor, 1500, 1_001_000), 61_000);
  assert.equal(elapsedSince(anchor, 1500, 1_003_000), 61_000); // two seconds ahead: put right over the network
  assert.equal(elapsedSince(anchor, 1500, 900_000), 61_000); // put back
});

test("a clock counts the time that the phone slept, and no time that somebody set", () => {
  const anchor = { base: 60_000, since: 500, sinceDay: 1_000_000 };
  assert.equal(elapsedSince(anchor, 1500, 1_001_000 + 600_000), 661_000);
  assert.equal(elapsedSince(anchor, 1500, 1_001_000 + 6 * HOUR), 61_000);
});

test("a clock counts what the phone sleeps before and after its time of day was set", () => {
  const looks = [ // [s since the start, s that it slept until then, s by which its time of day was set]
    [60, 0, 0],
    [120, 30, 0],
    [180, 30, -3 * 3600], // set back
    [360, 130, -3 * 3600],
    [420, 130, 26 * 3600], // set on
    [480, 180, 26 * 3600],
  ];
  let anchor = { base: 0, since: 500, sinceDay: 1_000_000 };
  for (const [gone, slept, set] of looks) {
    const [steady, day] = [500 + (gone - slept) * 1000, 1_000_000 + (gone + set) * 1000];
    anchor = followed(anchor, steady, day);
    assert.equal(elapsedSince(anchor, steady, day), gone * 1000, `after ${gone} s`);
  }
});

test("how long a game goes on follows from the newest word of the server", () => {
  const said = { at: 10, elapsed: 30_000 };
  assert.equal(goneOn(said, undefined, 1_000_000, 400), 30_400);
  assert.equal(goneOn(said, { at: 9, began: 0 }, 1_000_000, 400), 30_400);
  assert.equal(goneOn(said, { at: 10, began: 900_000 }, 1_000_000, 400), 100_000);
  assert.equal(goneOn({ at: 0, elapsed: 0, began: 950_000 }, undefined, 1_000_000, 400), 50_000);
  assert.equal(goneOn({ ...said, began: 950_000 }, undefined, 1_000_000, 400), 30_400); // the server knows it since
  assert.equal(goneOn({ ...said, began: 950_000 }, { at: 11, began: 900_000 }, 1_000_000, 400), 100_000);
});

test("twelve games are remembered, those of which the server spoke last", () => {
  let games = {};
  for (let at = 1; at <= 13; at += 1) games = withGame(games, `game ${at}`, at, at * 100);
  assert.equal(Object.keys(games).length, 12);
  assert.equal(games["game 1"], undefined);
  assert.deepEqual(games["game 13"], { at: 13, began: 1300 });
  assert.deepEqual(withGame(games, "game 13", 14, 5)["game 13"], { at: 14, began: 5 });
});
