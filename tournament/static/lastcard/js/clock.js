// <game-clock>: elapsed time of a game (templates/components/_clock.html).
//
// In: data-elapsed (whole seconds since the start, counted by the server when it rendered the page), data-limit
// (seconds), data-state ("waiting", "running", "stopped", "limit"). It needs no network and not the phone's own time of day.
// Events (bubble): "clock:tick" each second with detail {elapsed}; "clock:limit" once when the limit is reached.
// `elapsedNow` is the whole seconds elapsed, for a form that records when a name was tapped.

const two = (number) => String(number).padStart(2, "0");
const ASLEEP = 2_000; // ms by which the time of day may run ahead before the phone counts as having slept
const LONGEST = 6 * 3_600_000; // ms; a longer leap is somebody setting the phone's clock

class GameClock extends HTMLElement {
  static observedAttributes = ["data-elapsed", "data-state"];

  connectedCallback() {
    this.start();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.awake);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.start();
  }

  start() {
    clearInterval(this.timer);
    this.limit = Number(this.dataset.limit);
    this.base = Number(this.dataset.elapsed) * 1000;
    this.since = performance.now();
    this.sinceDay = Date.now();
    if (this.dataset.state !== "running") return;
    this.awake ??= () => this.tick();
    document.addEventListener("visibilitychange", this.awake);
    this.timer = setInterval(() => this.tick(), 250);
    this.tick();
  }

  /** Milliseconds since the game began. A phone's steady clock may stand still while it sleeps: then the day's helps. */
  get elapsed() {
    const steady = performance.now() - this.since;
    const ahead = Date.now() - this.sinceDay - steady;
    return this.base + steady + (ahead > ASLEEP && ahead < LONGEST ? ahead : 0);
  }

  get elapsedNow() {
    const running = this.dataset.state === "running" ? this.elapsed : this.base;
    return Math.min(Math.floor(running / 1000), this.limit);
  }

  tick() {
    const seconds = this.elapsedNow;
    if (seconds === this.shown) return;
    this.shown = seconds;
    const find = (part) => this.querySelector(`[data-clock-${part}]`);
    const face = find("face");
    if (face) face.textContent = `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
    find("run")?.setAttribute("width", String(Math.floor((seconds * 600) / this.limit)));
    this.dispatchEvent(new CustomEvent("clock:tick", { bubbles: true, detail: { elapsed: seconds } }));
    if (seconds < this.limit) return;
    const note = find("note");
    if (note) {
      note.textContent = this.dataset.wordLimit;
      note.className = "clock__hour";
      note.setAttribute("role", "status");
    }
    clearInterval(this.timer);
    this.setAttribute("data-state", "limit");
    this.dispatchEvent(new CustomEvent("clock:limit", { bubbles: true, detail: { elapsed: seconds } }));
  }
}

customElements.define("game-clock", GameClock);
