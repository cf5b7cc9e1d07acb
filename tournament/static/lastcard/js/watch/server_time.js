// The server's time of day: this computer's may be wrong. Each answer narrows down where the server's second begins.

let [least, most] = [-Infinity, Infinity]; // between which the server's clock is ahead of ours, in milliseconds

/** Ask the server for its time. Rejects without a network. @param {string} path of a page that costs it nothing */
export async function askTime(path) {
  const before = Date.now();
  const answer = await fetch(path, { method: "HEAD", cache: "no-store" });
  const said = Date.parse(answer.headers.get("Date") ?? ""); // whole seconds, cut off
  if (!said) return;
  const now = [said - Date.now(), said + 1000 - before];
  const both = [Math.max(least, now[0]), Math.min(most, now[1])];
  [least, most] = both[0] <= both[1] ? both : now;
}

/** Seconds since 1970 by the server's clock, by this computer's until the server has answered. */
export const nowSeconds = () => (Date.now() + (most < Infinity ? (least + most) / 2 : 0)) / 1000;
