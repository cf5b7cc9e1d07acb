import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, listed } from "../../tournament/static/lastcard/js/words.js";

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
