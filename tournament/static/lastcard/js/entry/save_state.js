// Which state Save is in, and in which words (save.js). Pure: nothing here touches the page.

/** What was entered last on this page. @typedef {{ what: string, state: string }} Kept */
/** @typedef {{ text: string, brief?: string }} Lack */
/** Words by their names, as a dataset has them. @typedef {Record<string, string | undefined>} Words */

/**
 * The state, the label and the line under it. What is kept `stays` on the phone without a network, and until somebody signs in.
 * @param {Words} words
 * @param {{ kept?: Kept | null, lack?: Lack | null, offline?: boolean, stays?: boolean, held?: boolean }} now
 * @returns {[string, string, string]}
 */
export function saveState(words, { kept = null, lack = null, offline = false, stays = offline, held = false }) {
  const word = (/** @type {string} */ name) => words[`word${name}`] ?? "";
  const put = (/** @type {string} */ text) => text.replace("{what}", kept?.what ?? "");
  if (kept?.state === "confirmed") return ["saved", word("Saved"), put(word("There"))];
  if (kept) return stays ? ["saved", word("Saved"), put(word("Here"))] : ["saving", word("Saving"), put(word("Here"))];
  if (held) return [lack ? "lack" : "ready", word("Label"), word("Held")];
  if (lack) return ["lack", word("Label"), lack.brief || lack.text];
  return ["ready", word("Label"), offline ? word("Offline") : word("Unsaved")];
}
