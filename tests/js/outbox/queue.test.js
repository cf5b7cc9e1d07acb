import assert from "node:assert/strict";
import { test } from "node:test";

import { aboutPlay, asAnother, asksAbout, counted, keyAfter, lostOf, mineToCarry, nextBatch, noted, pauseAfter, tookAgain } from "../../../tournament/static/lastcard/js/outbox/queue.js";

const entry = (number, change = {}) => ({
  command: `command ${number}`,
  user: "me",
  tournament: "event",
  url: "/en/desk/table/t/record/",
  fields: [["command", `command ${number}`], ["play", `play ${number}`]],
  state: "waiting",
  ...change,
});
const stored = (...entries) => entries.map((each, index) => [`key ${index}`, each]);
const none = new Set();

test("a key comes after every other, also where the clock was put back", () => {
  const first = keyAfter(undefined, 1_700_000_000_000, "a");
  assert.equal(first, "lastcard:out:1700000000000:a");
  assert.equal(keyAfter(first, 1_700_000_000_000, "b"), "lastcard:out:1700000000001:b");
  assert.equal(keyAfter(first, 5, "b"), "lastcard:out:1700000000001:b");
  assert.equal(keyAfter(first, 1_700_000_005_000, "b"), "lastcard:out:1700000005000:b");
  assert.ok(keyAfter(undefined, 5, "a") < keyAfter(undefined, 40, "a")); // as texts
});

test("a form of a command that stands here is mended, tapped twice, or another", () => {
  const known = entry(1);
  const other = entry(1, { fields: [["command", "command 1"], ["play", "play 2"]] });
  assert.equal(tookAgain(known, entry(1)), "same");
  assert.equal(tookAgain(known, other), "another");
  assert.equal(tookAgain(entry(1, { state: "confirmed" }), other), "another");
  for (const state of ["refused", "conflict"]) {
    assert.equal(tookAgain(entry(1, { state }), entry(1)), "mended");
    assert.equal(tookAgain(entry(1, { state }), other), "mended");
  }
});

test("another entry has a command and a play of its own, and the fields that were typed", () => {
  const known = entry(1, { fields: [["command", "command 1"], ["play", "play 1"], ["constructor", "x"], ["note", "y"]] });
  const fields = [["command", "c"], ["play", "p"], ["constructor", "x"], ["note", "y"]];
  assert.deepEqual(asAnother(known, "c", "p"), { ...known, command: "c", fields });
  assert.equal(known.command, "command 1");
});

test("what is about a game that another phone started is about that phone's game", () => {
  const [mine, theirs] = ["aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"];
  const start = entry(1, { fields: [["command", "c"], ["play", mine]] });
  assert.deepEqual(aboutPlay(start, mine, theirs).fields, [["command", "c"], ["play", theirs]]);
  const tap = entry(2, { url: `/en/desk/play/${mine}/out/`, fields: [["entry", mine]] });
  assert.deepEqual(aboutPlay(tap, mine, theirs), { ...tap, url: `/en/desk/play/${theirs}/out/` });
  assert.equal(aboutPlay(entry(3), mine, theirs).url, entry(3).url);
  assert.equal("play" in noted({ state: "saved", play: theirs }, start), false);
});

test("what is sent next is mine and waits, the oldest first", () => {
  const mine = stored(entry(1), entry(2, { user: "another" }), entry(3, { state: "wait" }), entry(4, { state: "confirmed" }), entry(5, { state: "refused" }));
  assert.deepEqual(nextBatch(mine, "me", none, none), [mine[0], mine[2]]);
  assert.deepEqual(nextBatch(mine, "me", new Set(["key 0"]), none), [mine[2]]);
});

test("what is of a play that waits for another waits too", () => {
  const play = "aaaaaaaa-0000-4000-8000-000000000001";
  const tap = entry(2, { url: `/en/desk/play/${play}/out/`, fields: [] });
  assert.deepEqual(nextBatch(stored(tap, entry(3)), "me", none, new Set([play])).map(([key]) => key), ["key 1"]);
  assert.deepEqual(nextBatch(stored(tap, entry(3)), "me", none, new Set(["play 3"])).map(([key]) => key), ["key 0"]);
});

test("a request takes fifty", () => {
  const many = stored(...Array.from({ length: 60 }, (_, index) => entry(index)));
  assert.deepEqual(nextBatch(many, "me", none, none), many.slice(0, 50));
});

test("what the server saved is confirmed, and everything else is as it says", () => {
  const sent = { fields: [["entry", "d"], ["name", "Dima"]] };
  const saved = noted({ state: "saved", sequence: 7, at: "now" }, sent);
  assert.deepEqual(saved, { state: "confirmed", sequence: 7, at: "now", fields: [["entry", "d"]] });
  assert.deepEqual(noted({ state: "refused", said: ["why"] }, sent), { state: "refused", said: ["why"] });
});

test("the next try comes soon after a failure, then less often", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 40].map(pauseAfter), [8000, 1000, 2000, 4000, 8000, 15_000, 15_000]);
});

test("the server is asked about events that may be over and about the other users", () => {
  const entries = [
    entry(1, { state: "confirmed", tournament: "a" }),
    entry(2, { state: "confirmed", tournament: "a" }),
    entry(3, { tournament: "b" }),
    entry(4, { user: "one" }),
    entry(5, { user: "two", state: "confirmed", tournament: "c" }),
  ];
  assert.deepEqual(asksAbout(entries, "me"), { tournaments: ["a", "c"], others: ["one"], plays: [], last: [] });
  const refused = [entry(1, { state: "refused" }), entry(2, { state: "conflict" }), entry(1, { state: "refused" })];
  assert.deepEqual(asksAbout(refused, "me"), { tournaments: [], others: [], plays: ["play 1"], last: [] });
});

test("the server is asked whether it has the last row of each event that it told this phone of", () => {
  const confirmed = (number, tournament, sequence, change = {}) => entry(number, { state: "confirmed", tournament, sequence, at: `at ${sequence}`, ...change });
  const entries = [confirmed(1, "a", 7), confirmed(2, "a", 9), confirmed(3, "a", 8), confirmed(4, "b", 2), confirmed(5, "b", 5, { user: "one" }), entry(6, { tournament: "c" })];
  assert.deepEqual(asksAbout(entries, "me").last, [["a", 9, "at 9"], ["b", 5, "at 5"]]);
  const all = stored(...entries);
  assert.deepEqual(lostOf(all, ["b", "c"]), [all[3], all[4]]);
  assert.deepEqual(lostOf(all, []), []);
});

test("a phone takes all of its user's entries along, the oldest first, up to what a link holds", () => {
  const entries = [entry(1, { state: "confirmed" }), entry(2, { user: "one" }), entry(3, { state: "refused" }), entry(4)];
  assert.deepEqual(mineToCarry(stored(...entries), "me"), [entries[0], entries[2], entries[3]]);
  const many = Array.from({ length: 160 }, (_, index) => entry(index));
  assert.deepEqual(mineToCarry(stored(...many), "me"), many.slice(10));
});

test("entries are counted by what a person must know", () => {
  const others = [entry(6, { user: "one" })];
  const entries = [
    entry(1),
    entry(2, { state: "wait" }),
    entry(3, { state: "conflict" }),
    entry(4, { state: "confirmed", at: "2026-01-02T01:00:00+02:00" }),
    entry(5, { state: "confirmed", at: "2026-01-02T00:30:00+02:00" }),
    ...others,
    entry(7, { user: "one", state: "confirmed", at: "2027-01-01" }),
  ];
  assert.deepEqual(counted(entries, "me"), { waiting: 2, problems: 1, others, kept: 5, last: "2026-01-02T01:00:00+02:00" });
  assert.equal(counted(entries, "me", "event").problems, 1);
  assert.equal(counted(entries, "me", "another event").problems, 0);
  const elsewhere = entry(8, { state: "confirmed", at: "2026-01-01T23:30:00+00:00" }); // of an event in another zone, later
  assert.equal(counted([...entries, elsewhere], "me").last, elsewhere.at);
  assert.deepEqual(counted([], "me"), { waiting: 0, problems: 0, others: [], kept: 0, last: undefined });
});
