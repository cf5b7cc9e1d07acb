import assert from "node:assert/strict";
import { test } from "node:test";

import { Malformed, packed, unpacked } from "../../../tournament/static/lastcard/js/outbox/payload.js";

const uid = (number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
const NOW = 1_700_000_000_000;
const ENTRY = {
  command: uid(1),
  tournament: uid(2),
  table: uid(3),
  kind: "out",
  url: `/en/desk/play/${uid(4)}/out/`,
  fields: [["command", uid(1)], ["entry", uid(5)], ["elapsed_s", "754"], ["note", "Börje \u{1f0cf} \"!\" \u0001"]],
  number: null,
  queued: NOW - 61_000,
  state: "waiting",
};

test("what was packed comes back as it was, in the taker's language and by their clock", async () => {
  const text = await packed({ ...ENTRY, user: uid(9), handed: true }, NOW);
  assert.match(text, /^[\w-]+$/);
  const later = NOW + 5_000_000;
  const taken = { ...ENTRY, url: `/fi/desk/play/${uid(4)}/out/`, queued: later - 61_000 };
  assert.deepEqual(await unpacked(text, "fi", later), taken);
});

test("a round at a table comes back", async () => {
  const hands = Array.from({ length: 40 }, (_, index) => [`hand-${uid(index + 10)}-draw2`, String(index)]);
  const round = { ...ENTRY, kind: "round", url: `/sv/desk/table/${uid(3)}/record/`, fields: [...ENTRY.fields, ...hands], number: 12 };
  assert.deepEqual(await unpacked(await packed(round, NOW), "sv", NOW), round);
});

test("more ids than have a sign each come back too", async () => {
  const players = Array.from({ length: 120 }, (_, index) => ["player", uid(index + 100)]);
  const start = { ...ENTRY, kind: "start", url: `/en/desk/table/${uid(3)}/start/`, fields: [...ENTRY.fields, ...players] };
  assert.deepEqual(await unpacked(await packed(start, NOW), "en", NOW), start);
});

test("an entry is never younger than now nor older than thirty days", async () => {
  const ages = [NOW + 60_000, NOW - 40 * 86_400_000].map(async (queued) => {
    const taken = await unpacked(await packed({ ...ENTRY, queued }, NOW), "en", NOW);
    return NOW - taken.queued;
  });
  assert.deepEqual(await Promise.all(ages), [0, 30 * 86_400_000]);
});

test("a text that was changed on its way is malformed, wherever", async () => {
  const text = await packed(ENTRY, NOW);
  for (let at = 0; at < text.length; at += 7) {
    const changed = text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
    await assert.rejects(unpacked(changed, "en", NOW), Malformed, `at ${at}`);
  }
  for (const other of ["", "x", "not base64!", text.slice(0, -2), `${text}AAAA`]) {
    await assert.rejects(unpacked(other, "en", NOW), Malformed, other);
  }
});

test("no code leads a form to another place or names another command", async () => {
  const wrong = [
    { ...ENTRY, kind: "paper" }, // of a table, about another one
    { ...ENTRY, kind: "constructor" },
    { ...ENTRY, url: "/en/desk/play/../out/" },
    { ...ENTRY, fields: [["command", uid(7)]] },
    { ...ENTRY, fields: [] },
    { ...ENTRY, table: "t" },
    { ...ENTRY, number: "1" },
  ];
  for (const each of wrong) await assert.rejects(unpacked(await packed(each, NOW), "en", NOW), Malformed, JSON.stringify(each));
});
