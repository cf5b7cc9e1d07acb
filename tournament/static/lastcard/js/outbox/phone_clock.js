// What a phone can know of its clock, which may be wrong, and may be set while entries wait. Pure: nothing here asks what
// time it is. The server compares what it knew before an entry with what it says when it sends it:
// tournament/views/entry/outbox.py.

/** @typedef {import("./entries.js").Entry} Entry */

const SET = 1_000; // ms; by less a clock is corrected, not set

/**
 * By how many ms the clock was set back since it said `seen`: by itself it only goes on. The phone's steady clock says that
 * this was `gone` ms ago, or longer, since it stands still while the phone sleeps. A clock that was set on cannot be told
 * from a phone that slept.
 * @param {number} seen @param {number} now @param {number} gone
 */
export function setBack(seen, now, gone) {
  const back = seen + gone - now;
  return back > SET ? back : 0;
}

/** When it was entered, by the clock as it goes now that it was set back. @param {Entry} entry @param {number} back */
export const reread = ({ queued, skew = null }, back) => ({ queued: queued - back, skew: skew === null ? null : skew + back });

/**
 * By how many ms the server's clock is ahead, after an answer that took `took` ms, came at `came` and says the server's
 * time `said`: what was known before, as long as the answer allows it.
 * @param {number | null} before @param {number} said @param {number} came @param {number} took
 */
export function skewAfter(before, said, came, took) {
  const doubt = took / 2;
  const skew = Math.round(said + doubt - came);
  return before !== null && Math.abs(skew - before) <= doubt ? before : skew;
}
