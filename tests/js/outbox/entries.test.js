import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { beforeEach, test } from "node:test";

import { enteredAt, leftBy, newId, playOf, read, stored, valueOf } from "../../../tournament/static/lastcard/js/outbox/entries.js";

globalThis.crypto ??= webcrypto; // node 18 has none of its own

class Storage extends Map {
  get length() {
    return this.size;
  }

  key(index) {
    return [...this.keys()][index];
  }

  getItem(key) {
    return this.get(key) ?? null;
  }
}

const put = (key, entry) => localStorage.set(key, JSON.stringify(entry));

beforeEach(() => {
  globalThis.localStorage = new Storage();
});

test("entries are read in the order of entering, and nothing else", () => {
  put("lastcard:out:2:b", { command: "b", table: "t" });
  put("lastcard:out:1:a", { command: "a", table: "u" });
  put("lastcard:other", { command: "c" });
  localStorage.set("lastcard:out:3:c", "no JSON");
  assert.deepEqual(stored(), [["lastcard:out:1:a", { command: "a", table: "u" }], ["lastcard:out:2:b", { command: "b", table: "t" }]]);
  assert.deepEqual(enteredAt("t"), [{ command: "b", table: "t" }]);
});

test("an entry that was written again is read again", () => {
  put("lastcard:out:1:a", { state: "waiting" });
  assert.deepEqual(read("lastcard:out:1:a"), { state: "waiting" });
  put("lastcard:out:1:a", { state: "confirmed" });
  assert.deepEqual(read("lastcard:out:1:a"), { state: "confirmed" });
  assert.equal(read("lastcard:out:9:z"), null);
  assert.equal(read(""), null);
});

test("a browser that refuses storage has no entries", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new Error("refused");
    },
  });
  assert.deepEqual(stored(), []);
  Object.defineProperty(globalThis, "localStorage", { configurable: true, writable: true, value: null });
});

test("an entry is about the play of its address, else of its form", () => {
  const play = "aaaaaaaa-0000-4000-8000-000000000001";
  const fields = [["play", "of the form"], ["play", "again"]];
  assert.equal(playOf({ url: `/en/desk/play/${play}/out/`, fields }), play);
  assert.equal(playOf({ url: "/en/desk/table/t/record/", fields }), "of the form");
  assert.equal(valueOf({ fields }, "missing"), "");
});

test("a new id is a random uuid", () => {
  const ids = Array.from({ length: 100 }, newId);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, 100);
});

test("who did not play a game of a race is in the next one; who was removed or left is not", () => {
  const fields = [["plays-a", "1"], ["out-a", "absent"], ["out-b", "removed"], ["out-c", ""], ["out-d", "withdrawn"]];
  assert.deepEqual(leftBy([{ fields }, { fields: [["out-e", "absent"]] }]), ["b", "d"]);
});
