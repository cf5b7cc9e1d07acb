import assert from "node:assert/strict";
import { test } from "node:test";

import { reread, setBack, skewAfter } from "../../../tournament/static/lastcard/js/outbox/phone_clock.js";

const MINUTE = 60_000;
const NOW = 1_700_000_000_000;

test("only a clock that was set back went back, however long the phone slept", () => {
  const looks = [
    ["it went on", MINUTE, MINUTE, 0],
    ["corrected by less than a second", MINUTE - 900, MINUTE, 0],
    ["the phone slept: the steady clock stood still", 8 * 60 * MINUTE, 3_000, 0],
    ["set on", 25 * MINUTE, 5 * MINUTE, 0],
    ["set back by 20 minutes", -15 * MINUTE, 5 * MINUTE, 20 * MINUTE],
    ["set back by less than had gone", 2 * MINUTE, 5 * MINUTE, 3 * MINUTE],
    ["set back by two days, seen by another page", -2 * 1440 * MINUTE, 0, 2 * 1440 * MINUTE],
  ];
  for (const [what, later, gone, back] of looks) assert.equal(setBack(NOW, NOW + later, gone), back, what);
});

test("what waits is read by the clock as it is now, and the server's time of it stays", () => {
  const entry = /** @type {any} */ ({ queued: NOW, skew: 500 });
  const again = reread(entry, 20 * MINUTE);
  assert.deepEqual(again, { queued: NOW - 20 * MINUTE, skew: 500 + 20 * MINUTE });
  assert.equal(again.queued + again.skew, NOW + 500);
  assert.deepEqual(reread(/** @type {any} */ ({ queued: NOW }), 5), { queued: NOW - 5, skew: null });
});

test("an answer says by how much the server is ahead, to half of what it took", () => {
  const answers = [
    [null, 7_000, 7_000], // the first
    [7_300, 7_000, 7_300], // it may well be as before
    [7_301, 7_000, 7_000],
    [-3_600_000, 7_000, 7_000], // a clock was set
  ];
  for (const [before, ahead, skew] of answers) assert.equal(skewAfter(before, NOW + ahead - 300, NOW, 600), skew);
});
