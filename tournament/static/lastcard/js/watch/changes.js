// What changed in a page since its former text, as the stream tells it (tournament/live/changes.py). Pure: nothing here
// touches the page.

/** @typedef {[number, number, string?]} Change how many lines before it are unchanged, how many go, and what comes */

/**
 * The changes in an event: those in JSON, deflated, in Base64.
 * @param {string} packed
 * @returns {Promise<Change[]>}
 */
export async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(plain).json();
}

/**
 * The text with these changes.
 * @param {string} text
 * @param {Change[]} changes in order
 */
export function applied(text, changes) {
  const lines = text.split("\n");
  const next = [];
  let at = 0;
  for (const [same, gone, come] of changes) {
    next.push(...lines.slice(at, at + same));
    if (come !== undefined) next.push(come);
    at += same + gone;
  }
  return [...next, ...lines.slice(at)].join("\n");
}
