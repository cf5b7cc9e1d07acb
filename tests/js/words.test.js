import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, dayTime, listed } from "../../tournament/static/lastcard/js/words.js";

test("one of a thing has a word of its own", () => {
  const words = { wordLeft: "{n} hands left", wordLeftOne: "1 hand left" };
  assert.deepEqual([0, 1, 2].map((n) => counted(words, "wordLeft", n)), ["0 hands left", "1 hand left", "2 hands left"]);
  assert.equal(counted({}, "wordLeft", 1), "");
});

test("a list ends with the word of the page's language", () => {
  const said = (lang, parts) => {
    globalThis.document = { documentElement: { lang } };
    return listed(parts);
  };
  assert.equal(said("en", ["Aino"]), "Aino");
  assert.equal(said("en", ["Aino", "Börje"]), "Aino and Börje");
  assert.equal(said("en", ["Aino", "Börje", "Cécile"]), "Aino, Börje and Cécile");
  assert.equal(said("fi", ["Aino", "Börje", "Cécile"]), "Aino, Börje ja Cécile");
  assert.equal(said("sv", ["Aino", "Börje", "Cécile"]), "Aino, Börje och Cécile");
});

test("a time of day is said as the pages from the server say it", () => {
  const said = (lang, ...of) => {
    globalThis.document = { documentElement: { lang } };
    return dayTime(...of);
  };
  for (const [lang, early, midnight] of [["en", "9:05", "0:07:09"], ["fi", "9.05", "0.07.09"], ["sv", "9.05", "0.07.09"]]) {
    assert.equal(said(lang, "2026-11-22T07:05:09Z", "Europe/Helsinki"), early);
    assert.equal(said(lang, Date.UTC(2026, 10, 21, 22, 7, 9), "Europe/Helsinki", true), midnight);
  }
  assert.equal(said("sv", "2026-11-22T21:30:00Z", "UTC"), "21.30");
  assert.match(said("en", "2026-11-22T07:05:09Z", "Nowhere/Unknown"), /^\d{1,2}:\d\d$/);
});
