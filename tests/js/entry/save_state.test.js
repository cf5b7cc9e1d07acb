import assert from "node:assert/strict";
import { test } from "node:test";

import { saveState } from "../../../tournament/static/lastcard/js/entry/save_state.js";

const WORDS = {
  wordLabel: "Save",
  wordUnsaved: "Not saved yet",
  wordOffline: "Stays on this phone",
  wordHeld: "Too fast",
  wordSaving: "Saving…",
  wordSaved: "Saved",
  wordHere: "{what} is on this phone",
  wordThere: "{what} is on the server",
};
const LACK = { text: "Who played their last card?", brief: "Who went out?" };

test("what is missing stands on Save, in few words where there are some", () => {
  assert.deepEqual(saveState(WORDS, { lack: LACK }), ["lack", "Save", "Who went out?"]);
  assert.deepEqual(saveState(WORDS, { lack: { text: LACK.text } }), ["lack", "Save", LACK.text]);
});

test("what is whole is not saved yet, and stays on the phone where there is no network", () => {
  assert.deepEqual(saveState(WORDS, {}), ["ready", "Save", "Not saved yet"]);
  assert.deepEqual(saveState(WORDS, { offline: true }), ["ready", "Save", "Stays on this phone"]);
});

test("what was entered last is on its way, on this phone or on the server", () => {
  const kept = { what: "Round 3", state: "waiting" };
  assert.deepEqual(saveState(WORDS, { kept, lack: LACK }), ["saving", "Saving…", "Round 3 is on this phone"]);
  assert.deepEqual(saveState(WORDS, { kept, offline: true }), ["saved", "Saved", "Round 3 is on this phone"]);
  assert.deepEqual(saveState(WORDS, { kept, stays: true }), ["saved", "Saved", "Round 3 is on this phone"]);
  const there = { ...kept, state: "confirmed" };
  assert.deepEqual(saveState(WORDS, { kept: there, lack: LACK }), ["saved", "Saved", "Round 3 is on the server"]);
});

test("a tap that was held back says so, whatever the state", () => {
  assert.deepEqual(saveState(WORDS, { held: true }), ["ready", "Save", "Too fast"]);
  assert.deepEqual(saveState(WORDS, { held: true, lack: LACK }), ["lack", "Save", "Too fast"]);
});
