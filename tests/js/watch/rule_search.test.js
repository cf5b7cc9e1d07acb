import assert from "node:assert/strict";
import { test } from "node:test";

import * as english from "../../../tournament/static/lastcard/js/watch/asked/en.js";
import * as finnish from "../../../tournament/static/lastcard/js/watch/asked/fi.js";
import * as swedish from "../../../tournament/static/lastcard/js/watch/asked/sv.js";
import { ABOUT } from "../../../tournament/static/lastcard/js/watch/asked/about.js";
import { searchIn } from "../../../tournament/static/lastcard/js/watch/rule_search.js";

const rules = [
  { id: "draw2", words: "Draw 2: the next player draws two and loses the turn.", heading: "What the cards do" },
  { id: "wild4-challenge", words: "Wild Draw 4: the next player may challenge it.", heading: "What the cards do" },
  { id: "last-card", words: "The last card must not be black.", heading: "Going out" },
  { id: "side-slide", words: "Side slide: a number card of the same colour and value.", heading: "A turn" },
  { id: "penalty-uno_not_said", words: "“Uno” not said. The player draws 2 cards.", heading: "Penalties" },
];
const first = (question, language = english) => searchIn(rules, language)(question).ids[0];

test("words that say nothing are left out, and the rest need not all fit", () => {
  assert.equal(first("hey can I really stack a draw 2 on the table please"), "draw2");
});

test("numbers, signs and words of a card are one", () => {
  for (const question of ["+2", "+ 2", "plus two", "draw2", "Draw two", "take 2"]) assert.equal(first(question), "draw2", question);
});

test("forms of a word, accents left out and apostrophes lead to the same rule", () => {
  for (const question of ["challenge", "challenged", "challenging"]) assert.equal(first(question), "wild4-challenge", question);
  for (const question of ["he didn't say uno", "he didn’t say uno", "forgot uno"]) assert.equal(first(question), "penalty-uno_not_said", question);
  for (const question of ["haastaminen", "haastoin", "haastetaanko"]) assert.equal(first(question, finnish), "wild4-challenge", question);
  for (const question of ["välilyönti", "valilyonti", "välilyönnin"]) assert.equal(first(question, finnish), "side-slide", question);
  for (const question of ["utmana", "utmaningen", "utmanar"]) assert.equal(first(question, swedish), "wild4-challenge", question);
});

test("the number of a special situation leads to its rule", () => {
  for (const question of ["§7", "§ 7", "7 §", "section 7", "special situation 7"]) assert.equal(first(question), "side-slide", question);
  assert.equal(first("pykälä 7", finnish), "side-slide");
  assert.equal(first("paragraf 7", swedish), "side-slide");
});

test("the rules under a heading come first for its very words", () => {
  assert.equal(first("a turn"), "side-slide");
  assert.equal(first("Going out!"), "last-card");
  const numbered = [...rules, { id: "penalty-cheated", words: "Uno, the last card, a wild", heading: "§1: Say “Uno”" }];
  for (const question of ["say uno", "§1: Say “Uno”"]) assert.equal(searchIn(numbered, english)(question).ids[0], "penalty-cheated", question);
});

test("a heading with a number leads to the rule of that number in its list", () => {
  const steps = ["discard-pile", "who-deals"].map((id, index) => ({ id, words: "A card is turned up.", heading: "Preparations", number: index + 1 }));
  const search = searchIn([...rules, ...steps], english);
  assert.deepEqual(search("Preparations 2.").ids[0], "who-deals");
  assert.deepEqual(search("preparations").ids.slice(0, 2).sort(), ["discard-pile", "who-deals"]);
});

test("a word that is only begun or misspelled offers what is nearest", () => {
  assert.equal(first("chal"), "wild4-challenge");
  assert.deepEqual(searchIn(rules, english)("chalenge").ids[0], "wild4-challenge");
  assert.deepEqual(searchIn(rules, english)("chxllenge"), { sure: false, ids: ["wild4-challenge"] });
});

test("what is like nothing finds nothing, and no question either", () => {
  assert.deepEqual(searchIn(rules, english)("xyzzy"), { sure: false, ids: [] });
  assert.deepEqual(searchIn(rules, english)("the"), { sure: false, ids: [] });
});

test("every concept that a rule is about has words in each language", () => {
  const concepts = new Set(Object.values(ABOUT).flatMap((about) => about.split(" ")));
  for (const { MEANS } of [english, finnish, swedish]) {
    assert.deepEqual([...concepts].filter((concept) => !MEANS[concept] && !/^s\d+$/.test(concept)), []);
    assert.deepEqual(Object.keys(MEANS).filter((concept) => !concepts.has(concept)), []);
  }
});
