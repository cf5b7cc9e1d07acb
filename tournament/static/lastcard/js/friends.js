// The table of friends: the score sheet in the page is kept on this device, so that a closed page loses nothing.
//
// Everything works without this. One game is kept: the newest.

const KEY = "lastcard.friends";

/** What is kept, or null: storage may be switched off or hold anything. */
function kept() {
  try {
    const text = localStorage.getItem(KEY);
    const sheet = JSON.parse(text);
    return Array.isArray(sheet?.players) ? { text, names: sheet.players.map((player) => String(player?.name ?? "")) } : null;
  } catch {
    return null;
  }
}

function keep(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // Full or switched off: the page itself still carries the game.
  }
}

const sheet = document.querySelector("[data-friends-sheet]");
if (sheet) keep(sheet.value);

const form = document.querySelector("#friends-continue");
const found = form && kept();
if (found) {
  form.elements.sheet.value = found.text;
  form.querySelector("[data-names]").textContent = found.names.join(", ");
  form.hidden = false;
  form.querySelector("[data-forget]").addEventListener("click", () => {
    localStorage.removeItem(KEY);
    form.hidden = true;
  });
}
