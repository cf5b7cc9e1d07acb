import assert from "node:assert/strict";
import { test } from "node:test";

import { doubtOf, hallText, halving, narrowed } from "../../tournament/static/lastcard/js/times.js";

test("a hall's clock counts full seconds down, and calls the last hand when it is asked to", () => {
  const minute = 60_000;
  assert.deepEqual(hallText(20 * minute, 2), { face: "20:00", says: "" });
  assert.deepEqual(hallText(2 * minute + 1, 2), { face: "02:01", says: "" });
  assert.deepEqual(hallText(2 * minute, 2), { face: "02:00", says: "last" });
  assert.deepEqual(hallText(1, 2), { face: "00:01", says: "last" });
  assert.deepEqual(hallText(0, 2), { face: "00:00", says: "over" });
  assert.deepEqual(hallText(-minute, 0), { face: "00:00", says: "last" });
  assert.deepEqual(hallText(1000, 0), { face: "00:01", says: "" });
  assert.deepEqual(hallText(0, 0, true), { face: "00:00", says: "over" }); // a bell: no last hand is played out
});

test("a break has no last hand: play goes on", () => {
  assert.deepEqual(hallText(90 * 60_000, null), { face: "90:00", says: "" });
  assert.deepEqual(hallText(0, null), { face: "00:00", says: "on" });
});

test("answers in whole seconds narrow down by how much another clock is ahead", () => {
  const ahead = 7_340;
  let doubt = /** @type {[number, number]} */ ([-Infinity, Infinity]);
  let now = 1_000_000;
  for (let question = 0; question < 5; question += 1) {
    now += halving(doubt, now);
    const said = Math.floor((now + 5 + ahead) / 1000) * 1000;
    doubt = narrowed(doubt, now, now + 10, said);
    assert.ok(doubt[0] <= ahead && ahead <= doubt[1]);
    now += 10;
  }
  assert.ok(doubtOf(doubt) < 120, String(doubt));
});

test("an answer that does not fit what was known counts alone: a clock was set", () => {
  assert.deepEqual(narrowed([100, 200], 10_000, 10_010, 70_000), [59_990, 61_000]);
});

test("nothing is waited for while nothing is known", () => {
  assert.equal(halving([-Infinity, Infinity], 12_345), 0);
});
