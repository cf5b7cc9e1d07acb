// Cards of an entry are called by the ruleset of its table, or by their usual names where the page does not list the table.
import assert from "node:assert/strict";
import { test } from "node:test";

const NAMES = { wild4: "Wild Draw 4", "kpgut-2016 wild4": "Wild+Draw 4" };
const named = (selector) => NAMES[/^template\[data-names="(.*)"\]$/.exec(selector)?.[1]];
globalThis.CSS = /** @type {any} */ ({ escape: (text) => text });
globalThis.document = /** @type {any} */ ({
  querySelector: (selector) => (named(selector) ? { content: { textContent: named(selector) } } : null),
  getElementById: () => ({ dataset: { wordPlayer: "Player {n}" }, textContent: "{}" }),
});
const { contentOf } = await import("../../../tournament/static/lastcard/js/outbox/entry_content.js");

const ENTRY = { fields: [["hand-00000000-0000-0000-0000-000000000001-wild4", "2"], ["hand-00000000-0000-0000-0000-000000000001-7", "1"]] };

test("a card has the name of the table's ruleset", () => {
  assert.deepEqual(contentOf(ENTRY, "out", "kpgut-2016"), ["Player 1: 2 × Wild+Draw 4, 1 × 7"]);
});

test("a card of a table that is not listed has its usual name", () => {
  assert.deepEqual(contentOf(ENTRY, "out", undefined), ["Player 1: 2 × Wild Draw 4, 1 × 7"]);
});
