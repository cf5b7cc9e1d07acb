import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { applied, unpacked } from "../../../tournament/static/lastcard/js/watch/changes.js";

test("changes of a text give the new one", () => {
  const cases = [
    ["a\nb\nc", [], "a\nb\nc"],
    ["a\nb\nc", [[1, 1, "B"]], "a\nB\nc"],
    ["a\nb\nc", [[0, 1], [1, 0, "x\ny"], [1, 0, "z"]], "b\nx\ny\nc\nz"],
    ["a\nb", [[0, 1, ""]], "\nb"],
    ["", [[0, 1, "Åke\n"]], "Åke\n"],
  ];
  for (const [former, changes, next] of cases) assert.equal(applied(former, changes), next);
});

test("an event's changes are deflated JSON in Base64", async () => {
  const changes = [[4, 2, "Åke leads\n🂡"], [1, 1]];
  assert.deepEqual(await unpacked(deflateRawSync(JSON.stringify(changes)).toString("base64")), changes);
});
