// Keeps this screen awake while the page is open, where the browser can (on this computer itself or over https), and
// says what is true.

const words = document.querySelector("[data-awake]");

function say(text) {
  words.hidden = false;
  words.textContent = text;
}

async function hold() {
  if (document.visibilityState !== "visible") return;
  try {
    const lock = await navigator.wakeLock.request("screen");
    say(words.dataset.awake);
    lock.addEventListener("release", () => say(words.dataset.asleep));
  } catch {
    say(words.dataset.asleep);
  }
}

if (words) {
  document.addEventListener("visibilitychange", hold);
  hold();
}
