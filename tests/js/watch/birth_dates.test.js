import assert from "node:assert/strict";
import { test } from "node:test";

import { isMinor } from "../../../tournament/static/lastcard/js/watch/birth_dates.js";

test("who turns 18 on the day is no minor, and a day later is one", () => {
  assert.deepEqual(
    ["2008-05-09", "2008-05-10", "1990-01-01", "2020-02-29"].map((born) => isMinor(born, "2026-05-09")),
    [false, true, false, true],
  );
});

test("without a whole birth date nobody knows", () => {
  for (const born of ["", "2008", "9.5.2008", "0008"]) assert.equal(isMinor(born, "2026-05-09"), undefined);
});
