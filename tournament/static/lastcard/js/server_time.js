// What time it is by the server's clock: this device's may be wrong. Each page that counts to a moment asks, and pages
// that asked agree with each other to a small part of a second.
//
// An answer tells the server's time in whole seconds, cut off. So the first one leaves a second in doubt; each further
// question is asked when that doubt can be halved, where the server's second should just begin.

import { doubtOf, halving, narrowed } from "./times.js";
import { keep, kept } from "./watch/kept.js";

const KEY = "lastcard:ahead"; // what this device found last: a page that is opened without network counts by it
const GOOD = 120; // ms in doubt that are good enough
const QUESTIONS = 10; // at a time
const OFTEN = 50_000; // ms between two times of asking

/** Between which numbers of ms the server's clock is ahead of ours. @type {import("./times.js").Doubt} */
let doubt = [-Infinity, Infinity];
let asked = 0;
let first = Promise.resolve();

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The server's time in ms since 1970, as well as this device knows it. */
export function serverNow() {
  const ahead = Number.isFinite(doubtOf(doubt)) ? (doubt[0] + doubt[1]) / 2 : Number(kept(KEY) ?? 0) || 0;
  return Date.now() + ahead;
}

async function ask(path) {
  const before = Date.now();
  const answer = await fetch(path, { method: "HEAD", cache: "no-store" });
  const said = Date.parse(answer.headers.get("Date") ?? "");
  if (said) doubt = narrowed(doubt, before, Date.now(), said);
}

async function askMore(path) {
  for (let question = 1; question < QUESTIONS && doubtOf(doubt) > GOOD; question += 1) {
    await pause(halving(doubt, Date.now()));
    await ask(path);
  }
  keep(KEY, String(Math.round((doubt[0] + doubt[1]) / 2)));
}

/** Ask the server for its time by a page that is cheap to answer, at most once a minute; done with the first answer, the
 * others make it finer. Without network it stays as it was. @param {string} path */
export function askServer(path) {
  if (Math.abs(Date.now() - asked) < OFTEN) return first;
  asked = Date.now();
  const lost = () => {
    asked = 0;
  };
  first = ask(path).then(() => void askMore(path).catch(lost), lost);
  return first;
}
