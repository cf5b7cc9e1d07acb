// The table of friends: the score sheet in the page is kept on this device, so that a closed page loses nothing.
//
//   [data-friends-sheet]   the sheet of this page
//   [data-kept-nowhere]    says that the browser keeps nothing: hidden where it does
//   #friends-continue      the way back to a game that is kept: hidden, one more is made of it for the game before
//
// Everything works without this. Two games are kept: the newest, and what was played before it with others or again. The
// page answers a form: it is given an address that a browser can load again, with or without a network (service_worker.js).

import { keepOffline } from "../outbox/offline.js";

const HERE = "#game";
const [NEWEST, BEFORE] = ["lastcard.friends", "lastcard.friends.before"];

/** A sheet's text, names and how many rows it has; null where it is none: storage may hold anything. */
function read(text) {
  try {
    const sheet = JSON.parse(text);
    const names = sheet.players.map((player) => String(player?.name ?? ""));
    const rows = [sheet.games, sheet.rounds, sheet.heats].find(Array.isArray)?.length ?? 0;
    return { text, names: names.join(", "), rows, play: `${sheet.ruleset} ${sheet.kind}` };
  } catch {
    return null;
  }
}

/** Read what is kept, or null: storage may be switched off. */
function kept(key) {
  try {
    return read(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function keep(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Full or switched off: the page itself still carries the game, and says that it alone does.
    document.querySelector("[data-kept-nowhere]")?.removeAttribute("hidden");
  }
}

/** Whether a sheet is another game than the one that is kept, which somebody may want to go on with. */
function isAnother(sheet, other) {
  return sheet.names !== other.names || sheet.play !== other.play || (sheet.rows === 0 && other.rows > 1);
}

/** Whether a game of these people runs by the clock (friends_game.js), though the sheet holds none yet. */
function runs({ names }) {
  try {
    const games = [JSON.parse(localStorage.getItem("lastcard.friends.game"))].flat();
    return games.some((game) => Object.values(game.names).join(", ") === names);
  } catch {
    return false; // none runs
  }
}

const sheet = read(document.querySelector("input[data-friends-sheet]")?.value);
if (sheet) {
  const newest = kept(NEWEST);
  if (newest && (newest.rows || runs(newest)) && isAnother(sheet, newest)) keep(BEFORE, newest.text);
  keep(NEWEST, sheet.text);
  history.replaceState(null, "", location.pathname + HERE);
}
keepOffline();

const form = /** @type {HTMLFormElement} */ (document.querySelector("#friends-continue"));

function offer(place, key) {
  const found = kept(key);
  if (!found) return;
  place.elements.sheet.value = found.text;
  place.querySelector("[data-names]").textContent = found.names;
  place.hidden = false;
  place.querySelector("[data-forget]").addEventListener("click", () => {
    localStorage.removeItem(key);
    place.hidden = true;
  });
}

if (form) {
  const other = form.cloneNode(true);
  other.removeAttribute("id");
  form.after(other);
  offer(form, NEWEST);
  offer(other, BEFORE);
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (location.hash === HERE && visit?.type === "reload" && !form.hidden) form.requestSubmit(form.querySelector("button[name=do]"));
}
