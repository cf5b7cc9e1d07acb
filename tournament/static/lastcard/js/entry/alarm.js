// Sound and vibration at the moments of a clock: ten and five minutes before the hour of a game and at the hour, or
// those that a clock names itself (`beeps`, hall_clock.js). [data-alarm] is a switch that this device remembers. A browser makes no sound before somebody touched the page, so any touch makes it ready. While the switch is
// on the screen stays awake, where the browser can (on this computer itself or over https).

const KEY = "lastcard:alarm";
const LATE = 20; // seconds after which a moment that was slept through is not told any more
const BEEPS = { 600: 1, 300: 2, 0: 4 }; // how many, by seconds before the limit

let on = false;
let audio = null;
let lock = null;
const told = new Set();

try {
  on = localStorage.getItem(KEY) === "1";
} catch {
  // storage switched off: off at first
}

function ready() {
  if (!on) return;
  audio ??= globalThis.AudioContext ? new AudioContext() : null;
  if (audio?.state === "suspended") audio.resume().catch(() => {});
}

/** So many short tones, and as many short shakes. */
function ring(times) {
  navigator.vibrate?.(Array.from({ length: 2 * times - 1 }, () => 250));
  document.dispatchEvent(new CustomEvent("alarm:rang", { detail: { times } }));
  if (audio?.state !== "running") return;
  for (let index = 0; index < times; index += 1) {
    const [tone, volume, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + index * 0.5];
    tone.frequency.value = 880;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.32);
  }
}

async function stayAwake() {
  const wanted = on && document.visibilityState === "visible" && document.querySelector("[data-alarm]");
  if (!wanted) {
    lock?.release().catch(() => {});
    lock = null;
    return;
  }
  if (lock && !lock.released) return;
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = null; // not here, or the battery is low
  }
}

function prepare() {
  for (const box of document.querySelectorAll("input[data-alarm]")) {
    box.checked = on;
    box.closest("label").hidden = false;
  }
  stayAwake();
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-alarm]")) return;
  on = event.target.checked;
  try {
    localStorage.setItem(KEY, on ? "1" : "0");
  } catch {
    // storage switched off: it holds for this page
  }
  ready();
  if (on) ring(1);
  stayAwake();
});

const shown = new Map(); // by game: the seconds elapsed at the tick before
document.addEventListener("clock:tick", (event) => {
  const clock = event.target;
  const { game } = clock.dataset;
  const { elapsed } = event.detail;
  const last = shown.get(game);
  for (const [before, beeps] of Object.entries(clock.beeps ?? BEEPS)) {
    const moment = clock.limit - Number(before);
    const once = `${game} ${moment}`;
    if (!on || !(last < moment && elapsed >= moment) || told.has(once) || elapsed - moment > LATE) continue;
    told.add(once);
    ring(beeps);
  }
  shown.set(game, elapsed);
});

document.addEventListener("pointerdown", ready);
document.addEventListener("visibilitychange", stayAwake);
for (const swapped of ["htmx:load", "lastcard:swapped"]) document.addEventListener(swapped, prepare);
prepare();
